#!/usr/bin/env node
// Builds the package into dist/ and the app into dist/app.
//
//   npm run build [-- --web]
//
// --web: the library and the page alone, over the engine that was built before. The engine comes from CMake, JavaScript
// from esbuild, declarations from tsc.

import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { folderPlugin } from '../web/app/folder-plugin.mjs';
import { zipPlugin } from '../web/app/zip-plugin.mjs';
import { cmakeBuild } from './cmake.mjs';
import { setUp } from './setup.mjs';
import { SetupError, filesBelow, root, run, say } from './setup/common.mjs';

// What is built: file in dist/ (without .js) from source.
const library = {
  index: 'web/src/index.ts',
  cli: 'web/src/cli/main.ts',
  'elements/index': 'web/src/elements/index.ts',
  'elements/define': 'web/src/elements/define.ts',
  'elements/views': 'web/src/elements/views.ts',
};
// On its own, so that it is one file.
const workers = { worker: 'web/src/worker.ts', 'threads-worker': 'web/src/threads-worker.ts' };
// Into dist/app, where every file of web/app that is no script is copied as well.
const app = { main: 'web/app/main.ts' };
const models = ['sentiment-en', 'sentiment-zh', 'entities-medical', 'fill-mask-zh'].map((name) => `models/${name}`);

// The builds of the engine by CMake preset: file in dist/.
const engines = {
  wasm: 'headlight.wasm',
  'wasm-relaxed': 'headlight-relaxed.wasm',
  'wasm-threads': 'headlight-threads.wasm',
  'wasm-relaxed-threads': 'headlight-relaxed-threads.wasm',
};

const dist = path.join(root, 'dist');
const enginePath = (preset, file) => path.join(root, 'build', preset, file);

// Everything in dist/ and, for tests of single modules, each file of web/ compiled into build/web.
export async function build({ web = false } = {}) {
  if (!web) {
    await setUp('tools', 'sources', 'emscripten');
    say('building the engine');
    for (const preset of Object.keys(engines)) cmakeBuild(preset, 'headlight_wasm');
  }
  checkGlue();

  say('building dist/');
  fs.rmSync(dist, { recursive: true, force: true });
  fs.mkdirSync(path.join(dist, 'app'), { recursive: true });
  // Shared pieces lie beside index.js, so that './worker.js' is the worker from each of them.
  await bundle(library, dist, { splitting: true, external: ['lit', 'lit/*'] });
  await bundle(workers, dist, { minify: true });
  const workerScript = await bundleInline();
  await bundleSingleFile(workerScript);
  const { metafile } = await bundle(app, path.join(dist, 'app'), {
    splitting: true,
    minify: true,
    plugins: [...common.plugins, folderPlugin, zipPlugin],
  });
  await bundle({ sw: 'web/app/service-worker.ts' }, path.join(dist, 'app'), {
    format: 'iife',
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  await transpile();
  declarations();
  elementsManifest();

  for (const [preset, file] of Object.entries(engines)) copy(enginePath(preset, 'headlight.wasm'), path.join(dist, file));
  for (const name of [...Object.keys(workers).map((file) => `${file}.js`), ...Object.values(engines)]) copy(path.join(dist, name), path.join(dist, 'app', name));
  for (const file of filesBelow(path.join(root, 'web/app'))) {
    if (!/\.m?ts$|\.mjs$/.test(file)) copy(path.join(root, 'web/app', file), path.join(dist, 'app', file));
  }
  for (const name of ['LICENSE', 'THIRD_PARTY_NOTICES']) copy(path.join(root, name), path.join(dist, 'app', `${name}.txt`));
  preloadModules(metafile);
  await deployServiceWorker();
  for (const model of models) {
    for (const file of filesBelow(path.join(root, model))) {
      copy(path.join(root, model, file), path.join(dist, 'app', model, file));
    }
  }
  fs.writeFileSync(path.join(root, 'build/bundled-packages.json'), `${JSON.stringify(bundledPackages, null, 2)}\n`);
  fs.chmodSync(path.join(dist, 'cli.js'), 0o755);
}

function glueOf(preset) {
  const file = enginePath(preset, 'headlight.js');
  if (!fs.existsSync(file)) throw new SetupError(`${file} is not there: build without --web first`);
  return fs.readFileSync(file, 'utf8');
}

// One script serves the builds with threads and one those without: the names that it imports and exports are the same.
function checkGlue() {
  if (glueOf('wasm') !== glueOf('wasm-relaxed') || glueOf('wasm-threads') !== glueOf('wasm-relaxed-threads')) {
    throw new SetupError('the builds of the engine differ in headlight.js: they must be linked with the same options');
  }
}

// Workers are started by web/src/pool.ts, in Node too; Emscripten would look for its own script beside the bundle.
function threadsGlue() {
  // Its options stand there, or are named there (Emscripten 3.1).
  const ownWorker = /new Worker\(new URL\([^()]*\),\s*(?:\{[^{}]*\}|\w+)\)/g;
  const glue = glueOf('wasm-threads');
  if (glue.match(ownWorker)?.length !== 1) throw new SetupError('headlight.js starts its threads in an unknown way');
  return glue.replace(ownWorker, 'Module["newWorker"]()');
}

const common = {
  absWorkingDir: root,
  format: 'esm',
  target: ['es2022', 'safari16.4'],
  charset: 'utf8',
  legalComments: 'inline',
  logLevel: 'warning',
  plugins: [
    {
      // The modules that CMake builds, under the names by which web/src/glue.d.ts declares them.
      name: 'glue',
      setup(build) {
        build.onResolve({ filter: /^headlight-glue$/ }, () => ({ path: enginePath('wasm', 'headlight.js') }));
        build.onResolve({ filter: /^headlight-threads-glue$/ }, ({ path }) => ({ path, namespace: 'glue' }));
        build.onLoad({ filter: /./, namespace: 'glue' }, () => ({ contents: threadsGlue(), loader: 'js' }));
      },
    },
  ],
};

// The packages whose code each entry's bundle holds.
const bundledPackages = {};

async function bundle(entryPoints, outdir, options) {
  const result = await esbuild.build({
    ...common,
    entryPoints,
    outdir,
    bundle: true,
    chunkNames: '[name]-[hash]',
    metafile: true,
    ...options,
    external: ['node:*', ...(options.external ?? [])],
  });
  const packages = Object.keys(result.metafile.inputs).flatMap((input) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? []);
  for (const name of Object.keys(entryPoints)) bundledPackages[name] = [...new Set(packages)].sort();
  return result;
}

// The page names the pieces that its script imports, so that they come at once rather than one after the other.
function preloadModules({ outputs }) {
  const pieces = new Set();
  const gather = (output) => {
    for (const { path: piece, kind } of outputs[output].imports) {
      if (kind !== 'import-statement' || pieces.has(piece)) continue;
      pieces.add(piece);
      gather(piece);
    }
  };
  gather('dist/app/main.js');
  const page = path.join(dist, 'app/index.html');
  const script = /( *)<script type="module" src="\.\/main\.js"><\/script>\n/;
  const links = (indent) => [...pieces].map((piece) => `${indent}<link rel="modulepreload" href="./${path.basename(piece)}" />\n`).join('');
  fs.writeFileSync(page, fs.readFileSync(page, 'utf8').replace(script, (all, indent) => all + links(indent)));
}

// Everything that is in dist/app by now is kept for when there is no network.
async function deployServiceWorker() {
  const { deploy, serviceWorkerName } = await import(pathToFileURL(path.join(root, 'build/web/src/cli/site/service-worker.js')));
  const folder = path.join(dist, 'app');
  const script = path.join(folder, serviceWorkerName);
  const names = filesBelow(folder).filter((name) => name !== serviceWorkerName);
  fs.writeFileSync(script, deploy(fs.readFileSync(script, 'utf8'), folder, names, false));
}

// bert-headlight/inline: the library, its worker and the builds without threads in one file.
async function bundleInline() {
  const packed = (preset) => `data:application/gzip;base64,${gzipSync(fs.readFileSync(enginePath(preset, 'headlight.wasm')), { level: 9 }).toString('base64')}`;
  const workerScript = await inlineWorker();
  const engines = { relaxed: packed('wasm-relaxed'), simd128: packed('wasm') };
  await bundle({ inline: library.index }, dist, {
    define: nowhere,
    plugins: [inlinePlugin(exportsOf({ workerScript, engines })), ...common.plugins],
  });
  return workerScript;
}

// Nothing refers to where a script lies, and no bundler looks for a file beside it.
const nowhere = { 'import.meta.url': '""' };

async function inlineWorker() {
  const { outputFiles } = await esbuild.build({
    ...common,
    entryPoints: [workers.worker],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    define: nowhere,
    plugins: [inlinePlugin(exportsOf({ workerScript: '', engines: {} })), ...common.plugins],
  });
  return outputFiles[0].text;
}

// The page as one classic script, for `headlight site --single-file`: the engine's builds lie beside it in the page.
async function bundleSingleFile(workerScript) {
  const held = `${exportsOf({ workerScript })}\nexport { engines } from ${JSON.stringify(path.join(root, 'web/app/held-engines.ts'))};`;
  await bundle({ 'single-file': app.main }, dist, {
    format: 'iife',
    minify: true,
    define: nowhere,
    plugins: [inlinePlugin(held), ...common.plugins, folderPlugin],
  });
}

const exportsOf = (values) => Object.entries(values).map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`).join('\n');

// Swaps the module that says where files lie for the one that holds them, and leaves out the glue of threads.
// held: the source of the module headlight-inline.
function inlinePlugin(held) {
  const modules = {
    'headlight-inline': held,
    'headlight-threads-glue': 'export default undefined;',
  };
  return {
    name: 'inline',
    setup(build) {
      build.onResolve({ filter: /^\.\/files\.js$/ }, () => ({ path: path.join(root, 'web/src/inline-files.ts') }));
      build.onResolve({ filter: /^headlight-(inline|threads-glue)$/ }, ({ path }) => ({ path, namespace: 'inline' }));
      build.onLoad({ filter: /./, namespace: 'inline' }, ({ path }) => ({ contents: modules[path], loader: 'js', resolveDir: root }));
    },
  };
}

async function transpile() {
  const sources = filesBelow(path.join(root, 'web')).filter((file) => /(?<!\.d)\.ts$/.test(file));
  await esbuild.build({
    ...common,
    entryPoints: sources.map((file) => path.join('web', file)),
    outdir: 'build/web',
    outbase: 'web',
    plugins: [],
  });
}

function declarations() {
  run(process.execPath, ['node_modules/typescript/bin/tsc', '--project', 'tsconfig.build.json'], { cwd: root });
}

// dist/custom-elements.json, by which editors know the elements.
function elementsManifest() {
  const analyzer = 'node_modules/@custom-elements-manifest/analyzer/cem.js';
  run(process.execPath, [analyzer, 'analyze', '--config', 'scripts/custom-elements.config.mjs', '--quiet'], { cwd: root });
}

function copy(from, to) {
  fs.mkdirSync(path.dirname(to), { recursive: true });
  fs.copyFileSync(from, to, fs.constants.COPYFILE_FICLONE);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values } = parseArgs({ options: { web: { type: 'boolean' } } });
  await build(values).catch((error) => {
    if (!(error instanceof SetupError)) throw error;
    console.error(`headlight: ${error.message}`);
    process.exitCode = 1;
  });
}
