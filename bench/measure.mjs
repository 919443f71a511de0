// Interleaved measurement: in each round every contender has one turn, in an order that moves on by one, so that what else
// the machine does meets all alike.

import { summary } from './statistics.mjs';

const warmUps = 2;
const leastMilliseconds = 20; // of one turn, so that timers and switches do not count

/**
 * contenders: [{ name, host, request(case) }], where a request may be null: not for this contender. cases: of any kind.
 * clock: 'ms', time that passes, or 'cpu', what the processor spends on a process, for machines that do other things.
 * Gives, for each case, [{ name, times, result, ...summary }].
 */
export async function measure(contenders, cases, { runs, clock = 'ms', onCase }) {
  const rows = [];
  for (const one of cases) {
    const taking = contenders
      .map(({ name, host, request }) => ({ name, host, request: request(one), times: [], repeats: 1 }))
      .filter(({ request }) => request);
    for (const entry of taking) {
      let last;
      for (let i = 0; i < warmUps; i++) last = await entry.host.run(entry.request, 1);
      entry.repeats = Math.min(20, Math.ceil(leastMilliseconds / last.ms));
      entry.result = last.result;
    }
    for (let round = 0; round < runs; round++) {
      for (let turn = 0; turn < taking.length; turn++) {
        const entry = taking[(round + turn) % taking.length];
        await entry.host.run(entry.request, 1); // what the others' turns drove out of the caches comes back
        const reply = await entry.host.run(entry.request, entry.repeats);
        entry.times.push(reply[clock] ?? reply.ms);
      }
    }
    const measured = taking.map(({ name, times, result }) => ({ name, times, result, ...summary(times) }));
    rows.push({ case: one, measured });
    onCase?.(one, measured);
  }
  return rows;
}

/** Of the same numbers: float32 contenders differ by the order of their sums alone. */
const float32Bound = 1e-3;

/**
 * Throws where two contenders' results of a case are further apart than `bound`, which is for rounding to int8; those
 * named float32 than float32Bound, or that share of the largest value.
 */
export function compareResults(rows, bound) {
  for (const { case: one, measured } of rows) {
    const present = measured.filter(({ result }) => result.length > 0);
    const isFloat32 = ({ name }) => name.includes('float32');
    const first = present.find(isFloat32) ?? present[0];
    for (const entry of present) {
      const distance = Math.max(...entry.result.map((value, i) => Math.abs(value - first.result[i])));
      const exact = float32Bound * Math.max(1, ...first.result.map(Math.abs));
      const allowed = isFloat32(entry) && isFloat32(first) ? exact : bound;
      if (!(distance <= allowed)) {
        throw new Error(`${entry.name} and ${first.name} differ by ${distance} for ${JSON.stringify(one)}; ${allowed} is allowed`);
      }
    }
  }
}
