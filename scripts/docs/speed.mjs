// The page that measures the demo's model on the visitor's device, beside the figures of docs/benchmarks.md.

import path from 'node:path';
import * as esbuild from 'esbuild';
import { SetupError, root } from '../setup/common.mjs';
import { escapeHtml, heading, slugger } from './markdown.mjs';

const lengths = [16, 128, 512];
const section = 'Chromium, text in, label out: minilm-l6';

/** Of docs/benchmarks.md: milliseconds by number of tokens, the machine, and the heading's anchor. */
function ours(benchmarks) {
  const [, text] = benchmarks.split(`### ${section}\n`);
  const cells = (pattern) => pattern.exec(text)[0].split('|').map((cell) => cell.trim());
  const columns = cells(/^\|.*n = 16.*$/m);
  const times = cells(/^\| headlight int8 \|.*$/m);
  const milliseconds = Object.fromEntries(lengths.map((n) => [n, Number.parseFloat(times[columns.indexOf(`n = ${n}`)])]));
  const [, cpu, cores, chromium] = /^cpu (.*?) · cores (\d+) .*?chromium (Chromium \d+)/m.exec(benchmarks) ?? [];
  if (!Object.values(milliseconds).every(Number.isFinite) || !cpu) throw new SetupError('docs/benchmarks.md has no times for the page of speed');
  const slug = slugger();
  const anchors = new Map([...benchmarks.matchAll(/^#+ (.*)$/gm)].map(([, title]) => [title, slug(title)]));
  return { milliseconds, machine: `${cpu}, ${cores} cores, ${chromium}`, anchor: anchors.get(section) };
}

/** The page, from the text of docs/benchmarks.md. */
export function speedPage(benchmarks) {
  const { milliseconds, machine, anchor } = ours(benchmarks);
  const rows = lengths.map(
    (n) =>
      `<tr data-tokens="${n}" data-ours="${milliseconds[n]}"><th scope="row">${n}</th><td class="right here">–</td><td class="right">${milliseconds[n].toFixed(1)} ms</td><td class="right ratio">–</td></tr>`,
  );
  const html = `<h1 id="how-fast-is-it-here">How fast is it here?</h1>
<p>The demo’s model of film reviews (the size of MiniLM-L6: 6 layers, hidden size 384; int8, 23 MB) labels a text of so many tokens,
from the text to the label, on your device. Nothing that is measured leaves it.</p>
<p class="controls"><button class="button" type="button" id="measure">Measure</button>
<label>Threads <select id="threads"><option value="1">1, as ours</option><option value="auto">as many as there are</option></select></label>
<label>Build <select id="build"><option value="auto">the fastest</option><option value="simd128">128-bit SIMD alone</option></select></label></p>
<p id="status" role="status">About half a minute, and a download of 24 MB unless you have seen the demo.</p>
<div class="scroll" role="group" tabindex="0" aria-label="Times"><table class="times">
<thead><tr><th>tokens</th><th class="right">here</th><th class="right">ours</th><th class="right">times as long here</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>
<p id="facts"></p>
${heading(2, 'how-to-read-it', 'How to read it')}<ul>
<li>Both are medians of nine turns, each of 20 ms or more, after two to warm up; ± is half of the distance between the quartiles, as
a share of the median.</li>
<li>Ours: ${escapeHtml(machine)}, one thread, relaxed SIMD (<a href="benchmarks.html#${anchor}">the whole table</a>). Those texts
went through a model of the same sizes with random weights; the work is the same.</li>
<li>The times differ by more than the processor. Here other pages and programs run, a phone slows down when it is warm or saves
its battery, and clocks of pages tick in steps. One run says little about a device: repeat it, and compare large differences alone.</li>
<li>Several threads need a page that is cross-origin isolated. Where the server does not send its two headers, one runs; the line below the
table says what ran, and why.</li>
<li>float32 is not measured: the demo’s model is an int8 pack. <a href="benchmarks.html">The benchmarks</a> have both, and other libraries.</li>
</ul>
<noscript><p>Measuring needs JavaScript.</p></noscript>
`;
  return {
    title: 'How fast is it here?',
    description: 'Measures a BERT classifier on your own device, beside the figures of the benchmarks.',
    headings: [{ level: 1, id: 'how-fast-is-it-here', title: 'How fast is it here?' }],
    html,
    script: 'speed.js',
  };
}

/** Bundles the page's script into `out`; the library is the built one, its worker and engine those of the demo beside it. */
export async function bundleSpeed(out, dist) {
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: { speed: 'web/docs/speed.mjs' },
    outdir: out,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: ['es2022', 'safari16.4'],
    chunkNames: 'scripts/[name]-[hash]',
    charset: 'utf8',
    legalComments: 'inline',
    logLevel: 'warning',
    logOverride: { 'ignored-bare-import': 'silent' },
    external: ['node:*'],
    alias: { 'bert-headlight': path.join(dist, 'index.js') },
  });
}
