// What the command line says of wrong use: what, where, and what to do.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../support/built.mjs';
import { fail, headlight, succeed } from '../support/command.mjs';
import { committedGolden } from '../support/golden.mjs';
import { serveFiles } from '../support/model-server.mjs';
import { makeTinyModel, temporaryFolder, writeFolder } from '../support/tiny-model.mjs';

const model = writeFolder(makeTinyModel());
const place = temporaryFolder();
const at = (name) => path.join(place, name);
const golden = (name) => path.join(committedGolden, name);
const files = { afile: 'x', 'texts.tsv': 'text\na good film\n', 'empty.tsv': '', 'labels.tsv': 'label\ttext\nFOO\tbar\n' };
for (const [name, text] of Object.entries(files)) fs.writeFileSync(at(name), text);
fs.mkdirSync(at('folder'));
const names = fs.readdirSync(place);

const commands = ['classify', 'entities', 'fill-mask', 'answer', 'embed', 'attention', 'tokenize', 'info', 'eval', 'faithfulness', 'pack', 'prune', 'site'];

/** Wrong use: code 2, the message, and the command's help. */
const usage = [
  [['xyzzy'], /there is no command xyzzy\n/],
  [['clasify'], /there is no command clasify: is classify meant\?/],
  [['toString'], /there is no command toString/],
  [['constructor', '--help'], /there is no command constructor/],
  [['classify', '-m'], /-m needs a value\n/],
  [['classify', '--model', '--json', 'x'], /--model needs a value, and --json is an option; a value that begins with a dash is given as --model=--json/],
  [['classify', '-m', model, '--top'], /--top needs a value\n/],
  [['classify', '-m', model, '--json=yes'], /--json takes no value/],
  [['classify', '-m', model, '--topp', '1', 'x'], /there is no option --topp: is --top meant\?/],
  [['classify', '-m', model, '--threads', '0', 'x'], /there is no option --threads\n/],
  [['classify', '-m', '', 'x'], /--model DIR is missing/],
  [['classify', '-m', model, '--top', '0', 'x'], /--top must be a whole number from 1 on, in digits, not "0"/],
  [['classify', '-m', model, '--top', '-1', 'x'], /--top must be a whole number from 1 on, in digits, not "-1"/],
  [['classify', '-m', model, '--top', '1e9', 'x'], /--top must be a whole number from 1 on, in digits, not "1e9"/],
  [['classify', '-m', model, '--top', '99999999999', 'x'], /--top must be at most 2147483647, not "99999999999"/],
  [['classify', '-m', model, '--file', at('afile'), 'x'], /texts are arguments or the lines of --file, not both/],
  [['info', '-m', model, 'more'], /info takes options alone, not "more"/],
  [['eval', '-m', model, '--data', at('labels.tsv'), 'more'], /eval takes options alone, not "more"/],
  [['tokenize', '-m', model, '--max-length', '0', 'x'], /--max-length must be a whole number from 1 on/],
  [['entities', '-m', model, '--aggregation', 'some', 'x'], /--aggregation must be one of none, .*, word, not "some"/],
  [['embed', '-m', model, '--pooling', 'sum', 'x'], /--pooling must be mean, cls or max, not "sum"/],
  [['attention', '-m', model, '--head', '1', '--all-heads', 'x'], /--head and --all-heads exclude each other/],
  [['attention', '-m', model, '--scale', 'minmax-heads', 'x'], /--scale minmax-heads scales over the heads, and needs --all-heads/],
  [['attention', '-m', model, '--query', '-1', 'x'], /--query must be cls, all or the index of a token, not "-1"/],
  [['answer', '-m', model, '--context', 'a', '--context-file', at('afile'), 'x'], /--context and --context-file exclude each other/],
  [['faithfulness', '-m', model, '--data', at('texts.tsv'), '--methods', 'toString'], /--methods has "toString", which is no method/],
  [['prune', model, '-o', at('new'), '--count', '0', '--data', at('texts.tsv')], /--count must be a whole number from 1 on, in digits, not "0"/],
  [['prune', model, '-o', at('new'), '--count', '1e9', '--data', at('texts.tsv')], /--count must be a whole number/],
  [['prune', model, '-o', at('new'), '--count', '1000000000', '--data', at('texts.tsv')], /--count 1000000000 is more than the 6 heads that can go/],
  [['prune', model, '-o', at('new'), '--heads', '0.0', '--limit', '5'], /--limit is for --count, which is missing/],
  [['site', '-m', model, '-o', at('new'), '--pair', 'x'], /--pair is for --example, which is missing/],
  [['site', '-m', model, '-o', at('new.html')], /new\.html would be a folder; one file is written with --single-file/],
  [['site', '-m', model, '-o', at('new'), '--precision', 'half'], /--precision must be auto, int8 or float32, not "half"/],
];

for (const [args, message] of usage) {
  test(`headlight ${args.join(' ').replaceAll(place, '').replaceAll(model, 'MODEL')}: used wrongly`, async () => {
    await fail(args, 2, message);
    await fail(args, 2, /\n\nUsage: headlight /);
  });
}

/** Failures: code 1, the code and the message, what to do. */
const failures = [
  [['classify', '-m', '/no/such', 'x'], /E_NOT_FOUND: There is no folder \/no\/such\nCheck the path/],
  [['classify', '-m', at('afile'), 'x'], /E_NOT_FOUND: .*afile is no folder\n/],
  [['classify', '-m', at('folder'), 'x'], /E_NOT_FOUND: There is no .*folder\/config\.json\n/],
  [['classify', '-m', 'http://', 'x'], /E_INVALID_ARGUMENT: http:\/\/ is no URL\nheadlight classify --help tells/],
  [['classify', '-m', model, '--file', at('folder')], /E_NOT_FOUND: .*folder cannot be read: it is a folder \(EISDIR\)/],
  [['classify', '-m', model, '--file', '/no/such'], /E_NOT_FOUND: \/no\/such cannot be read: there is no such file or folder \(ENOENT\)/],
  [['attention', '-m', model, '--layer', '99', 'x'], /E_INVALID_ARGUMENT: There is no layer 99: the model has 2\nheadlight attention --help tells what it takes\.\n$/],
  [['info', '-m', 'https://example.org/model', '--verify'], /E_INVALID_ARGUMENT: https:.* is an address; .*\nLeave --verify out: what comes from an address is compared/],
  [['info', '-m', model, '--verify'], /is no pack: it has no headlight\.json.*\nLeave --verify out, or give the folder/],
  [['info', '-m', at('none'), '--verify'], /E_NOT_FOUND: There is no folder/],
  [['eval', '-m', model, '--data', at('labels.tsv')], /Line 2 of .*labels\.tsv has the label "FOO"; the model has NEGATIVE, POSITIVE\nheadlight eval --help/],
  [['eval', '-m', model, '--data', at('empty.tsv')], /empty\.tsv is empty: its first line must name the columns/],
  [['faithfulness', '-m', golden('bertrelkeyquery-tokcls'), '--data', at('texts.tsv'), '--methods', 'occlusion'], /E_TASK_MISMATCH: faithfulness needs a model that classifies/],
  [['pack', at('afile'), '-o', at('new')], /E_NOT_FOUND: .*afile is no folder/],
  [['pack', 'https://example.org/model', '-o', at('new')], /E_NOT_FOUND: https:.* is an address; this command reads a folder of this machine/],
  [['pack', model, '-o', at('afile')], /afile is a file, where a folder is to be written\nGive another place by -o\./],
  [['pack', model, '-o', at('afile/below')], /below cannot be written: a part of the path is no folder \(ENOTDIR\)\nCheck that the place/],
  [['site', '-m', model, '--single-file', '-o', at('folder')], /folder is a folder; with --single-file, -o names a file/],
];

for (const [args, message] of failures) {
  test(`headlight ${args.join(' ').replaceAll(place, '').replaceAll(model, 'MODEL')}: fails`, async () => {
    await fail(args, 1, message);
    assert.deepEqual(fs.readdirSync(place), names);
  });
}

test('nothing that a user does wrong is called a fault of headlight', async () => {
  const file = at('afile');
  for (const command of commands) {
    for (const args of [[], ['--nonsense'], ['-m'], ['-m', file, 'x'], ['-m', at('folder'), 'x'], [file, '-o', file], ['-m', model, '--data', file]]) {
      const { code, err } = await headlight([command, ...args]);
      if (code === 0) continue;
      assert.doesNotMatch(err, /E_INTERNAL|fault in headlight|TypeError|\[object/, `${command} ${args}: ${err}`);
      assert.match(err, /^headlight: .+/, command);
    }
  }
});

test('the help of a command tells every option, and docs/cli.md every command', async () => {
  const docs = fs.readFileSync(path.join(root, 'docs/cli.md'), 'utf8');
  const sources = { 'fill-mask': 'fill-mask', eval: 'eval' };
  for (const command of commands) {
    const help = await succeed([command, '--help']);
    const source = fs.readFileSync(path.join(root, 'web/src/cli', `${sources[command] ?? command}.ts`), 'utf8');
    const [, options] = /\n {2}options: \{(.*?)\n? {0,2}\},\n/s.exec(source);
    for (const [, quoted, plain] of options.matchAll(/(?:'([\w-]+)'|(\w+)): \{/g)) {
      assert.ok(help.includes(`--${quoted ?? plain}`), `${command} --help tells of --${quoted ?? plain}`);
    }
    assert.match(docs, new RegExp(`headlight ${command} `));
  }
});

test('info tells pruned heads a line a layer, and leaves out what there is none of', async () => {
  const folder = writeFolder(makeTinyModel({ heads: 8, layers: 3 }));
  await succeed(['prune', folder, '-o', at('pruned'), '--heads', '0.1,0.4,0.5,0.6,0.7,2.3']);
  const out = await succeed(['info', '-m', at('pruned')]);
  assert.match(out, /^prunedHeads {9}layer 0: heads 1, 4–7\n {20}layer 2: head 3\nhiddenSize /m);
  assert.doesNotMatch(await succeed(['info', '-m', folder]), /prunedHeads|ignored/);
  const said = await succeed(['prune', folder, '-o', at('other'), '--heads', '0.1,2.0,2.1']);
  assert.match(said, /: 3 heads fewer, .*\n {2}gone are layer 0: head 1\n {11}layer 2: heads 0–1\n/);
  assert.match(await succeed(['prune', folder, '-o', at('third'), '--heads', '0.1']), /: 1 head fewer, /);
  for (const name of ['pruned', 'other', 'third']) fs.rmSync(at(name), { recursive: true });
});

test('what a model is, from an address: what comes is compared with the manifest', async () => {
  const output = at('pack');
  await succeed(['pack', model, '-o', output]);
  const packed = Object.fromEntries(fs.readdirSync(output).map((name) => [name, fs.readFileSync(path.join(output, name))]));
  packed['vocab.txt'][0] ^= 1;
  const server = await serveFiles(packed);
  await fail(['info', '-m', server.url], 1, /E_MODEL_CORRUPT: .*vocab\.txt does not have the SHA-256 sum/);
  await server.close();
  fs.rmSync(output, { recursive: true });
});
