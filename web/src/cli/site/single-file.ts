// A site as one HTML file: style, script, engine and model are in it, and a policy that allows it no host at all.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { manifestName } from '../manifest.js';
import { dataBlock, dist, escapeHtml, siteBlock } from './html.js';
import type { SiteModel } from './model.js';

/** Bytes of a file that one data block holds: as much is unpacked at once. */
const blockBytes = 4 << 20;

/** Gives the bytes. */
export async function writeSingleFile(model: SiteModel, target: string): Promise<number> {
  const out = fs.openSync(target, 'wx');
  try {
    fs.writeSync(out, pageOf(model));
    for (const name of model.files) await writeFile(out, name, path.join(model.folder, name));
    if (model.manifest) fs.writeSync(out, block(manifestName, Buffer.from(JSON.stringify(model.manifest))));
    fs.writeSync(out, '</body>\n</html>\n');
    return fs.fstatSync(out).size;
  } finally {
    fs.closeSync(out);
  }
}

/** Everything but the model, which comes last, so that the page is there while it is read. */
function pageOf(model: SiteModel): string {
  const script = inlineScript(read('single-file.js'));
  const style = read('app/app.css');
  const icon = Buffer.from(read('app/icon.svg')).toString('base64');
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}' 'wasm-unsafe-eval'`,
    `style-src '${hashOf(style)}'`,
    'img-src data:',
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ];
  const engine = (id: string, name: string) =>
    dataBlock('text/plain', `id="${id}"`, pack(fs.readFileSync(path.join(dist, name))));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy.join('; ')}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(model.title)}</title>
<link rel="icon" href="data:image/svg+xml;base64,${icon}">
<style>${style}</style>
${siteBlock(model, true)}
${engine('headlight-relaxed', 'headlight-relaxed.wasm')}
${engine('headlight-simd128', 'headlight.wasm')}
${dataBlock('text/plain', 'id="notices"', notices())}
</head>
<body>
<noscript><p>Headlight needs JavaScript. 本页需要 JavaScript。</p></noscript>
<headlight-app><header><h1>${escapeHtml(model.title)}</h1></header></headlight-app>
<script>${script}</script>
`;
}

/** Licences go where the code goes. */
const notices = (): string =>
  ['LICENSE', 'THIRD_PARTY_NOTICES'].map((name) => read(`app/${name}.txt`).replace(/<(?=\/?script|!--)/gi, '&lt;')).join('\n');

const read = (name: string): string => fs.readFileSync(path.join(dist, name), 'utf8');
const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;
const pack = (bytes: Uint8Array): string => gzipSync(bytes, { level: 9 }).toString('base64');

/** A script that no part of ends its element; in strings and expressions the escape means the same. */
const inlineScript = (script: string): string => script.replaceAll('<!--', '\\x3c!--').replace(/<(?=\/?script)/gi, '\\x3c');

/** In blocks; a file without a byte is one. */
async function writeFile(out: number, name: string, from: string): Promise<void> {
  if (fs.statSync(from).size === 0) fs.writeSync(out, block(name, Buffer.alloc(0)));
  for await (const bytes of fs.createReadStream(from, { highWaterMark: blockBytes })) {
    fs.writeSync(out, block(name, bytes as Uint8Array));
  }
}

const block = (name: string, bytes: Uint8Array): string =>
  `${dataBlock('text/plain', `data-file="${escapeHtml(name)}" data-bytes="${bytes.length}"`, pack(bytes))}\n`;
