// Medians, and ratios that a machine's other work does not move: each is of two times of one round.

export function quantile(values, q) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const low = Math.floor(at);
  return sorted[low] + (at - low) * ((sorted[low + 1] ?? sorted[low]) - sorted[low]);
}

export const median = (values) => quantile(values, 0.5);

/** Median and spread (from the first to the third quartile, relative to the median) of a list of times. */
export function summary(times) {
  const middle = median(times);
  return {
    median: middle,
    least: Math.min(...times),
    spread: (quantile(times, 0.75) - quantile(times, 0.25)) / middle,
    runs: times.length,
  };
}

/** How many times faster `fast` is than `slow`: the median over rounds of the ratio within a round. */
export const ratio = (slow, fast) => median(slow.map((time, round) => time / fast[round]));
