// A contender in a process of its own: lines of JSON in, one line out for each.
//   {start: {contender, ...options}} -> {facts}     {run: {...}, repeats} -> {ms, cpu, result}     {memory: true} -> {resident, peak}

import readline from 'node:readline';

let contender;

async function answer({ start, run, repeats = 1, memory }) {
  if (start) {
    const module = await import(new URL(`./contenders/${start.contender}.mjs`, import.meta.url));
    contender = await module.start(start);
    return { facts: contender.facts };
  }
  if (memory) {
    globalThis.gc?.();
    return { resident: process.memoryUsage().rss, peak: process.resourceUsage().maxRSS * 1024 };
  }
  let result;
  const started = performance.now();
  const used = process.cpuUsage();
  for (let i = 0; i < repeats; i++) result = await contender.run(run);
  const ms = (performance.now() - started) / repeats;
  const { user, system } = process.cpuUsage(used);
  return { ms, cpu: (user + system) / 1000 / repeats, result };
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  const reply = await answer(JSON.parse(line)).catch((error) => ({ error: String(error?.stack ?? error) }));
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
