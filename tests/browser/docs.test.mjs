// The code of docs/elements.md runs as it stands there.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { launch, serveElements, visit } from '../support/page.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

test('the examples light the elements', async () => {
  const page = fs.readFileSync(path.join(root, 'docs/elements.md'), 'utf8');
  const blocks = [...page.matchAll(/^```js\n(.*?)^```/gms)].map(([, code]) => code);
  assert.equal(blocks.length, 6);
  const { outputFiles } = await esbuild.build({
    stdin: { contents: blocks.join('\n'), resolveDir: root },
    bundle: true,
    write: false,
    format: 'esm',
    ignoreAnnotations: true,
    alias: {
      'bert-headlight/element/define': './web/src/elements/define.ts',
      'bert-headlight/element': './web/src/elements/index.ts',
      'bert-headlight': './tests/support/mock-model.mjs',
    },
    absWorkingDir: root,
  });
  const server = await serveElements();
  const browser = await launch();
  try {
    const { page: tab, complaints } = await visit(browser, server);
    await tab.route('**/example.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: outputFiles[0].text }),
    );
    const shown = await tab.evaluate(async () => {
      for (const name of ['headlight-text', 'headlight-heads', 'headlight-heatmap', 'headlight-links', 'headlight-curve']) {
        document.querySelector('#stage').append(document.createElement(name));
      }
      await import('./example.js');
      const [text, heads, map, dimensions, links, curve] = document.querySelector('#stage').children;
      await Promise.all([text, heads, map, dimensions, links, curve].map((element) => element.updateComplete));
      const before = text.weights;
      heads.dispatchEvent(new CustomEvent('headlight-preview', { detail: { layer: 1, head: 2 } }));
      return {
        tokens: text.shadowRoot.querySelectorAll('.token').length,
        followed: text.weights.some((weight, i) => weight !== before[i]),
        map: [map.rows.length, map.columns.length, map.values.length],
        dimensions: [dimensions.rows.length, dimensions.values.length / dimensions.columns.length],
        points: curve.shadowRoot.querySelectorAll('circle').length,
        lines: links.shadowRoot.querySelectorAll('.from [role=option]').length,
      };
    });
    assert.deepEqual(shown, { tokens: 6, followed: true, map: [12, 6, 72], dimensions: [10, 10], points: 11, lines: 6 });
    assert.deepEqual(complaints, []);
  } finally {
    await browser.close();
    await server.close();
  }
});
