// Runs the examples of README.md and docs/, and compares what they print with what the pages say.
//
//   ```js     the blocks of a page run in order, as one module; `console.log(x); // expected` is compared
//   $ headlight …   in an indented block: run, its output compared with the lines that follow

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { dist, root } from '../support/built.mjs';

const pages = ['README.md', ...fs.readdirSync(path.join(root, 'docs')).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)];

/** The page's module for Node: all blocks that need no page, their imports merged. */
function moduleOf(text) {
  const blocks = [...text.matchAll(/^```js\n(.*?)^```/gms)].map(([, code]) => code);
  const names = new Set();
  const bodies = blocks
    .filter((code) => !/bert-headlight\/|document\.|window\./.test(code))
    .map((code) =>
      code.replace(/^import \{ (.*?) \} from 'bert-headlight';\n/gm, (_, list) => {
        list.split(', ').forEach((name) => names.add(name));
        return '';
      }),
    );
  return names.size === 0 ? null : { code: bodies.join('\n'), names: [...names] };
}

const expectedLines = (code) => [...code.matchAll(/^\s*console\.log\(.*\); \/\/ (.*)$/gm)].map(([, line]) => line);

const printer = `import { formatWithOptions } from 'node:util';
console.log = (...values) => process.stdout.write(formatWithOptions({ breakLength: Infinity }, ...values) + '\\n');
`;

for (const page of pages) {
  const text = fs.readFileSync(path.join(root, page), 'utf8');

  const example = moduleOf(text);
  if (example) {
    test(`${page}: the JavaScript prints what it says`, () => {
      const library = JSON.stringify(pathToFileURL(path.join(dist, 'index.js')).href);
      const source = `${printer}import { ${example.names.join(', ')} } from ${library};\n${example.code}`;
      const run = spawnSync(process.execPath, ['--input-type=module', '-'], { cwd: root, input: source, encoding: 'utf8' });
      assert.equal(run.stderr, '');
      const expected = expectedLines(example.code);
      assert.ok(expected.length > 0, 'the example prints nothing that is compared');
      assert.deepEqual(run.stdout.trimEnd().split('\n'), expected);
    });
  }

  for (const [, command, output] of text.matchAll(/^ {4}\$ headlight (.*)\n((?: {4}(?!\$).*\n)+)/gm)) {
    test(`${page}: headlight ${command}`, () => {
      const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);
      const run = spawnSync(process.execPath, [path.join(dist, 'cli.js'), ...words], { cwd: root, encoding: 'utf8' });
      assert.equal(run.stderr, '');
      assert.equal(run.stdout.trimEnd(), output.replace(/^ {4}/gm, '').trimEnd());
    });
  }
}

test('the examples that are compared are there', () => {
  assert.ok(moduleOf(fs.readFileSync(path.join(root, 'README.md'), 'utf8')), 'README.md has an example');
});
