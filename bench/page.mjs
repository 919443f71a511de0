// The same in a page: functions for bench/hosts.mjs.

let contender;

globalThis.startContender = async (options) => {
  const module = await import(`./contenders/${options.contender}.mjs`);
  contender = await module.start(options);
  return { facts: contender.facts };
};

globalThis.runContender = async (run, repeats) => {
  let result;
  const started = performance.now();
  for (let i = 0; i < repeats; i++) result = await contender.run(run);
  return { ms: (performance.now() - started) / repeats, result };
};

/** From nothing to the first result, in ms. */
globalThis.coldStart = async (options, run) => {
  const started = performance.now();
  await globalThis.startContender(options);
  const { result } = await globalThis.runContender(run, 1);
  return { ms: performance.now() - started, result };
};
