// What is measured: who contends, where, and over which cases.

import path from 'node:path';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { serve } from '../scripts/serve.mjs';
import { sizesOf } from '../scripts/size.mjs';
import { findBrowser } from '../scripts/setup/browser.mjs';
import { root, say } from '../scripts/setup/common.mjs';
import { PageHost, ProcessHost } from './hosts.mjs';
import { compareResults, measure } from './measure.mjs';
import { pythonPackages, sizes } from './models.mjs';
import { summary } from './statistics.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const requireHere = createRequire(import.meta.url);
const fileUrl = (...parts) => pathToFileURL(path.join(...parts)).href;

/** Objects of numbers, added by name. */
const sum = (objects) =>
  Object.fromEntries(Object.keys(objects[0]).map((key) => [key, objects.reduce((total, object) => total + object[key], 0)]));

/**
 * Functions from a model's name to tables. models: the folder of models; newestNode: a program; runs: rounds; lengths: in
 * tokens; clock: as measure() has it.
 */
export function groupsOf({ models, newestNode, runs, lengths, clock }) {
  // Contenders: name, options by kind, and what they are asked for a case { n, output, batch }

  const precisions = ['int8', 'float32'];
  const builds = ['relaxed', 'simd128'];

  function headlights(model, folders, library, options = {}) {
    return builds.flatMap((backend) =>
      precisions.map((precision) => ({
        name: `headlight ${precision} ${backend}`,
        options: { contender: 'headlight', library, folder: folders(model, precision), options: { ...options, build: backend } },
      })),
    );
  }

  const onnxruntimes = (outputName, options) =>
    precisions.map((precision) => ({
      name: `onnxruntime-web ${precision}`,
      options: { contender: 'onnxruntime', ...options(`${outputName}.${precision}.onnx`) },
    }));

  /** Starts all, measures, asks for their memory and ends them. */
  async function contest(entries, makeHost, cases, bound) {
    const contenders = [];
    try {
      for (const { name, options, command } of entries) {
        const host = makeHost(options, command);
        contenders.push({ name, host, request: (one) => one, facts: await host.start() });
      }
      const rows = await measure(contenders, cases, { runs, clock, onCase: progress });
      if (bound) compareResults(rows, bound);
      const memory = {};
      for (const { name, host } of contenders) memory[name] = await host.memory();
      return { rows, memory, facts: Object.fromEntries(contenders.map(({ name, facts }) => [name, facts])) };
    } finally {
      for (const { host } of contenders) await host.stop();
    }
  }

  function progress(one, measured) {
    say(`  ${JSON.stringify(one)}: ${measured.map((m) => `${m.name} ${m.median.toFixed(2)} ms`).join(', ')}`);
  }

  // --- In Node

  const inNode = (options, command) =>
    command ? new ProcessHost(command, options) : ProcessHost.node(newestNode, options);
  const folderInNode = (model, precision) => path.join(models, precision === 'int8' ? `${model}-int8` : model);

  function nodeEntries(model, outputName) {
    const ort = (file) => ({ module: import.meta.resolve('onnxruntime-web/wasm'), model: fileUrl(models, model, file) });
    return [
      ...headlights(model, folderInNode, fileUrl(root, 'dist/index.js')),
      ...onnxruntimes(outputName, ort),
      { name: 'empty process', options: { contender: 'none' } },
    ];
  }


  async function node(model) {
    const cases = lengths.map((n) => ({ n, output: 'logits' }));
    return [{ group: 'node', title: 'Node, logits', model, ...(await contest(nodeEntries(model, 'logits'), inNode, cases, sizes[model].int8Bound)) }];
  }

  async function batch(model) {
    const cases = [{ n: 128, output: 'logits', batch: 8 }];
    return [{ group: 'batch', title: 'Node, logits, 8 texts', model, ...(await contest(nodeEntries(model, 'logits'), inNode, cases, sizes[model].int8Bound)) }];
  }

  async function outputs(model) {
    const tables = [];
    for (const name of ['tokens', 'attentions']) {
      const cases = (lengths.length < 3 ? [128] : [64, 128]).map((n) => ({ n, output: name }));
      const title = { tokens: 'Node, outputs of all tokens', attentions: 'Node, outputs and attentions of all tokens' }[name];
      tables.push({ group: 'outputs', title, model, ...(await contest(nodeEntries(model, name), inNode, cases, sizes[model].int8Bound)) });
    }
    return tables;
  }

  /** By the clock that passes: on a machine that does nothing else. */
  async function threads(model) {
    const entries = precisions.flatMap((precision) =>
      [1, 2].map((count) => ({
        name: `headlight ${precision}, threads: ${count}`,
        options: {
          contender: 'headlight',
          library: fileUrl(root, 'dist/index.js'),
          folder: folderInNode(model, precision),
          options: { threads: count },
        },
      })),
    );
    const cases = lengths.map((n) => ({ n, output: 'logits' }));
    return [{ group: 'threads', title: 'Node, one thread and two', model, ...(await contest(entries, inNode, cases, sizes[model].int8Bound)) }];
  }

  async function native(model) {
    const packages = await pythonPackages();
    const command = ['env', `PYTHONPATH=${packages}`, 'HF_HUB_OFFLINE=1', 'python3', path.join(here, 'native.py')];
    const entries = [
      ...headlights(model, folderInNode, fileUrl(root, 'dist/index.js')).filter(({ name }) => name.endsWith('relaxed')),
      { name: 'PyTorch float32', command, options: { contender: 'torch', folder: path.join(models, model) } },
      ...precisions.map((precision) => ({
        name: `onnxruntime ${precision}`,
        command,
        options: { contender: 'onnxruntime', folder: path.join(models, model), model: `logits.${precision}.onnx` },
      })),
    ];
    const cases = lengths.map((n) => ({ n, output: 'logits' }));
    return [{ group: 'native', title: 'Node beside native libraries, logits', model, ...(await contest(entries, inNode, cases, sizes[model].int8Bound)) }];
  }

  /** Each shape of the model's products beside the bare kernel: one tile whose data stay in the first-level cache. */
  async function operators(model) {
    const { hidden, intermediate, heads } = sizes[model];
    const n = 126;
    const shapes = [[hidden, hidden], [hidden, intermediate], [intermediate, hidden]];
    const cases = ['gemm_f32', 'gemm_i8'].flatMap((operator) => [
      { operator, rows: 6, k: 512, columns: 8, repeats: 2000, bare: true },
      ...shapes.flatMap(([k, columns]) => [{ operator, rows: n, k, columns, repeats: 10 }]),
    ]);
    const rowwise = ['quantise_i8', 'layer_norm', 'gelu'].map((operator) => ({ operator, rows: n, k: hidden, repeats: 200 }));
    cases.push(...rowwise, { operator: 'softmax', rows: n, k: n, repeats: 200 });
    cases.push({ operator: 'attention', rows: n, k: hidden / heads, columns: hidden / heads, repeats: 20 });
    const entries = Object.entries({ relaxed: 'wasm-relaxed', simd128: 'wasm' }).map(([name, preset]) => ({
      name,
      options: { contender: 'operators', wasm: fileUrl(root, 'build', preset, 'headlight_bench.wasm') },
    }));
    const contenders = [];
    for (const { name, options } of entries) {
      const host = inNode(options);
      await host.start();
      contenders.push({ name, host });
    }
    // All in one interleaved round: a share of the peak is a ratio of times of the same round.
    const all = contenders.flatMap(({ name, host }) =>
      cases.map((one) => ({ name: JSON.stringify({ build: name, ...one }), host, request: () => one })),
    );
    const [row] = await measure(all, [null], { runs, clock });
    for (const { host } of contenders) host.stop();
    return [{ group: 'operators', title: 'Operators, in Node', model, row }];
  }

  // --- In Chromium

  async function inChromium(work) {
    const { chromium: playwright } = await import('playwright-core');
    const mounts = {
      '/bench/': here,
      '/dist/': path.join(root, 'dist'),
      '/models/': models,
      '/ort/': path.dirname(requireHere.resolve('onnxruntime-web/wasm')),
      '/transformers/': path.join(here, 'node_modules/@huggingface/transformers/dist'),
      '/transformers-ort/': path.dirname(
        createRequire(path.join(here, 'node_modules/@huggingface/transformers/package.json')).resolve('onnxruntime-web/wasm'),
      ),
    };
    const server = await serve({ root: here, mounts });
    const browser = await playwright.launch({ executablePath: findBrowser(), args: ['--no-sandbox', '--disable-gpu'] });
    try {
      return await work(server.url, (options) => new PageHost(browser, server.url, options));
    } finally {
      await browser.close();
      await server.close();
    }
  }

  const folderInPage = (url) => (model, precision) => `${url}models/${precision === 'int8' ? `${model}-int8` : model}`;
  const ortInPage = (url, model) => (file) => ({
    module: `${url}ort/ort.wasm.min.mjs`,
    wasmPaths: `${url}ort/`,
    model: `${url}models/${model}/${file}`,
  });
  const transformersInPage = (url, model) => ({
    name: 'transformers.js q8',
    options: {
      contender: 'transformers',
      module: `${url}transformers/transformers.min.js`,
      wasmPaths: `${url}transformers-ort/`,
      models: '/models/', // a whole address it would take for another host's
      model,
      dtype: 'q8',
    },
  });

  function chromium(model) {
    return inChromium(async (url, makeHost) => {
      const entries = [
        ...headlights(model, folderInPage(url), `${url}dist/index.js`, { worker: false }),
        ...onnxruntimes('logits', ortInPage(url, model)),
      ];
      const cases = lengths.map((n) => ({ n, output: 'logits' }));
      return [{ group: 'chromium', title: 'Chromium, logits', model, ...(await contest(entries, makeHost, cases, sizes[model].int8Bound)) }];
    });
  }

  /** A probability moves by a quarter, at most, of what two logits move against each other. */
  const scoreBound = (model) => (2 * sizes[model].int8Bound) / 4;

  /** As users of both call them: Headlight in its worker. */
  function asUsed(url, model) {
    const library = `${url}dist/index.js`;
    const options = { contender: 'headlight', library, folder: folderInPage(url)(model, 'int8'), options: {} };
    return [{ name: 'headlight int8', options }, transformersInPage(url, model)];
  }

  function label(model) {
    return inChromium(async (url, makeHost) => {
      const cases = lengths.map((n) => ({ n, output: 'label' }));
      return [{ group: 'label', title: 'Chromium, text in, label out', model, ...(await contest(asUsed(url, model), makeHost, cases, scoreBound(model))) }];
    });
  }

  function cold(model) {
    return inChromium(async (url, makeHost) => {
      const entries = asUsed(url, model).map((entry) => ({ ...entry, times: [] }));
      for (let round = 0; round < Math.min(runs, 5); round++) {
        for (const { options, times } of entries) {
          const host = makeHost(options);
          await host.open();
          times.push((await host.coldStart({ n: 16, output: 'label' })).ms);
          await host.stop();
        }
      }
      const measured = entries.map(({ name, times }) => ({ name, times, ...summary(times) }));
      progress('cold start', measured);
      return [{ group: 'cold', title: 'Chromium, from nothing to the first label', model, rows: [{ case: { n: 16 }, measured }], memory: {}, facts: {} }];
    });
  }

  /** What a page reads before its first label, besides the model and what belongs to the benchmark. */
  function downloads(model) {
    return inChromium(async (url, makeHost) => {
      const rows = [];
      const entries = [...asUsed(url, model), onnxruntimes('logits', ortInPage(url, model))[0]];
      for (const { name, options } of entries) {
        const host = makeHost(options);
        await host.open();
        await host.coldStart({ n: 16, output: 'label' });
        const files = host.requests().filter((file) => !/^(models|bench|favicon)/.test(file.slice(url.length)));
        await host.stop();
        const bodies = await Promise.all(files.map(async (file) => Buffer.from(await (await fetch(file)).arrayBuffer())));
        rows.push({ name, requests: files.length, ...sum(bodies.map(sizesOf)) });
      }
      return [{ group: 'downloads', title: 'Chromium, what a page downloads besides the model', model, rows }];
    });
  }

  return { node, outputs, batch, threads, operators, chromium, label, cold, downloads, native };
}
