// What a command writes: nothing that headlight did not write is removed, and what is interrupted leaves nothing behind.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { dist } from '../support/built.mjs';
import { fail, headlight, succeed } from '../support/command.mjs';
import { makeTinyModel, temporaryFolder, writeFolder } from '../support/tiny-model.mjs';

const model = writeFolder(makeTinyModel());
const writers = {
  pack: (output) => ['pack', model, '-o', output],
  'pack in parts': (output) => ['pack', writeFolder(makeTinyModel({ hidden: 128 })), '-o', output, '--max-part', '100KB'],
  prune: (output) => ['prune', model, '-o', output, '--heads', '0.1'],
  site: (output) => ['site', '-m', model, '-o', output],
};
const treeOf = (folder) => fs.readdirSync(folder, { recursive: true }).sort();

for (const [name, args] of Object.entries(writers)) {
  test(`${name} --force replaces what headlight wrote, and nothing else`, async () => {
    const output = path.join(temporaryFolder(), 'output');
    await succeed(args(output));
    await fail(args(output), 1, /is a (pack|site) already; --force replaces it\n/);
    const { ino } = fs.statSync(output);
    // What file managers leave is of no value.
    fs.writeFileSync(path.join(output, '.DS_Store'), '');
    await succeed([...args(output), '--force']);
    assert.notEqual(fs.statSync(output).ino, ino);

    fs.writeFileSync(path.join(output, 'notes.txt'), 'mine');
    fs.mkdirSync(path.join(output, '.git/objects'), { recursive: true });
    fs.writeFileSync(path.join(output, '.git/config'), 'mine');
    const before = treeOf(output);
    for (const force of [[], ['--force']]) {
      await fail(
        [...args(output), ...force],
        1,
        /E_INVALID_ARGUMENT: .*output has what headlight did not write, and replacing the (pack|site) would remove it: \.git\/, notes\.txt\nMove them elsewhere, or write to another folder and copy from there\./,
      );
    }
    assert.deepEqual(treeOf(output), before);
    for (let i = 0; i < 9; i++) fs.writeFileSync(path.join(output, `z${i}`), '');
    await fail([...args(output), '--force'], 1, /: \.git\/, notes\.txt, z0, z1, z2 and 6 more\n/);
    assert.deepEqual(fs.readdirSync(path.dirname(output)), ['output']);
  });
}

test('nothing is written into the folder of the model, by whatever way it is named', async () => {
  const folder = writeFolder(makeTinyModel());
  const link = path.join(temporaryFolder(), 'link');
  fs.symlinkSync(folder, link, 'junction');
  const before = treeOf(folder);
  for (const output of [path.join(folder, 'sub'), path.join(folder, 'sub/deeper'), path.join(link, 'sub')]) {
    for (const args of [
      ['pack', folder, '-o', output],
      ['prune', folder, '-o', output, '--heads', '0.1'],
      ['site', '-m', folder, '-o', output],
      ['site', '-m', folder, '-o', `${output}.html`, '--single-file'],
    ]) {
      await fail(args, 1, /E_INVALID_ARGUMENT: .*sub(\/deeper)?(\.html)? lies in the folder of the model, .*, which is only read\nGive another place by -o\.\n/);
    }
  }
  assert.deepEqual(treeOf(folder), before);
  await succeed(['pack', folder, '-o', `${folder}-packed`]);
  fs.rmSync(`${folder}-packed`, { recursive: true });
});

test('site --force keeps what lies beside the model', async () => {
  const output = path.join(temporaryFolder(), 'site');
  await succeed(writers.site(output));
  const own = path.join(output, 'models', path.basename(model), 'card.md');
  fs.writeFileSync(own, 'mine');
  fs.mkdirSync(path.join(output, 'models/other'));
  await fail([...writers.site(output), '--force'], 1, /would remove it: models\/headlight-\w+\/card\.md, models\/other\/\n|would remove it: models\/other\/, models\/headlight-\w+\/card\.md\n/);
  assert.ok(fs.existsSync(own));
});

test('a folder whose manifest is damaged is no pack', async () => {
  const output = path.join(temporaryFolder(), 'pack');
  await succeed(writers.pack(output));
  fs.writeFileSync(path.join(output, 'headlight.json'), '{');
  await fail([...writers.pack(output), '--force'], 1, /headlight\.json is no manifest/);
  assert.ok(fs.existsSync(path.join(output, 'model.int8.safetensors')));
});

const large = writeFolder(makeTinyModel({ hidden: 512, layers: 8, positions: 512 }));
const interrupted = {
  pack: (output) => ['pack', large, '-o', output],
  'pack in parts': (output) => ['pack', large, '-o', output, '--max-part', '100KB'],
  prune: (output) => ['prune', large, '-o', output, '--heads', '0.1,3.2'],
  site: (output) => ['site', '-m', large, '-o', output],
  'site --single-file': (output) => ['site', '-m', large, '--single-file', '-o', output],
};

/** Waits for what is half done to appear below `place`. */
const partIn = (place) => fs.readdirSync(place, { recursive: true }).some((name) => name.includes('.partial-'));

for (const [name, args] of Object.entries(interrupted)) {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ]) {
    test(`${name} leaves nothing behind on ${signal}, nor the folders above that it made`, async () => {
      const place = temporaryFolder();
      const output = path.join(place, 'new/deep/output');
      const result = await headlight(args(output), {
        during(child) {
          const timer = setInterval(() => {
            if (!partIn(place)) return;
            clearInterval(timer);
            child.kill(signal);
          }, 1);
          child.on('close', () => clearInterval(timer));
        },
      });
      // It may have been done before it was told to stop; then all is there.
      if (result.code === 0) return assert.deepEqual(fs.readdirSync(path.dirname(output)), ['output']);
      assert.deepEqual([result.code, result.err, result.out], [code, '', '']);
      assert.deepEqual(fs.readdirSync(place), []);
    });
  }
}

/** Runs the command as one for whom file modes count, which they do not for root; null where that cannot be. */
function asOther(args) {
  const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  const run = (...given) => spawnSync(process.execPath, [path.join(dist, 'cli.js'), ...given], { ...user, encoding: 'utf8' });
  return process.platform === 'win32' || run('--help').status !== 0 ? null : run(...args);
}

test('what may not be read, and where nothing may be written, is named', (t) => {
  const place = temporaryFolder();
  const names = { locked: ['config.json'], 'no weights': ['config.json', 'tokenizer_config.json', 'vocab.txt', 'model.safetensors'], 'read-only': [], open: [] };
  const files = makeTinyModel();
  for (const [folder, held] of Object.entries(names)) {
    fs.mkdirSync(path.join(place, folder));
    for (const name of held) fs.writeFileSync(path.join(place, folder, name), files[name]);
  }
  const at = (...parts) => path.join(place, ...parts);
  for (const [name, mode] of [['no weights/model.safetensors', 0], ['locked', 0], ['read-only', 0o555], ['open', 0o777], ['.', 0o755]]) fs.chmodSync(at(name), mode);
  fs.chmodSync(model, 0o755);
  try {
    for (const [args, message] of [
      [['info', '-m', at('locked')], /E_NOT_FOUND: .*locked cannot be listed: .*EACCES/],
      [['info', '-m', at('no weights')], /E_NOT_FOUND: .*model\.safetensors cannot be read: .*EACCES/],
      [['pack', at('locked'), '-o', at('open/out')], /E_NOT_FOUND: .*locked cannot be used: permission is denied \(EACCES\)\nCheck the path/],
      [['pack', at('no weights'), '-o', at('open/out')], /E_NOT_FOUND: .*model\.safetensors cannot be used: permission is denied/],
      [['pack', model, '-o', at('read-only/out')], /out cannot be written: permission is denied \(EACCES\)\nCheck that the place is there/],
      [['site', '-m', model, '--single-file', '-o', at('read-only/out.html')], /out\.html cannot be written: permission is denied/],
    ]) {
      const result = asOther(args);
      if (!result) return t.skip('nobody else can run the command here');
      assert.equal(result.status, 1, result.stderr);
      assert.match(result.stderr, message);
    }
    assert.deepEqual(fs.readdirSync(at('open')), []);
  } finally {
    for (const name of ['locked', 'read-only']) fs.chmodSync(at(name), 0o755);
  }
});

test('a failure leaves no folders behind that were made for it', async () => {
  const place = temporaryFolder();
  const { 'model.safetensors': weights, ...rest } = makeTinyModel();
  const cut = writeFolder({ ...rest, 'model.safetensors': weights.slice(0, weights.length / 2) });
  await fail(['pack', cut, '-o', path.join(place, 'new/deep/output')], 1, /E_MODEL_TRUNCATED/);
  assert.deepEqual(fs.readdirSync(place), []);
});
