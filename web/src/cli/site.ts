import fs from 'node:fs';
import path from 'node:path';
import { UsageError, checkNeeds, jsonOption, modelOf, modelOption, print, printJson, type Command, type Values } from './command.js';
import { atomically, checkOutput, checkOutside, counted, folderAtomically, megabytes, readFolder, refusal } from './output.js';
import { filesOfSite, isEngine, writeSite } from './site/folder.js';
import { isSite } from './site/html.js';
import { openModel, type SiteOptions } from './site/model.js';
import { writeSingleFile } from './site/single-file.js';

const help = `Usage: headlight site --model FOLDER -o FOLDER [options]
       headlight site --model FOLDER --single-file -o FILE.html [options]

Writes a page about a model of one's own: a folder for any web server, at any path, or one file that opens by itself.
Nothing of it comes from elsewhere. The output appears whole or not at all.

  -m, --model FOLDER   the model's folder
  -o, --output PATH    where to
      --single-file    one HTML file with the engine and the model inside
      --title TEXT     the page's title; default: the folder's name
      --example TEXT   a text to try; again for another, the first is there at the beginning
      --pair TEXT      the other text of each example: the text that a question is about, say
      --precision NAME auto (default), int8 or float32: which weights
      --threads        several threads on servers that cannot send headers, from the second visit on
      --force          replace a site that is there; files that headlight did not write are never removed
      --json           print files and bytes
`;

export const site: Command = {
  summary: 'a page about a model, for any web server or as one file',
  help,
  options: {
    ...modelOption,
    ...jsonOption,
    output: { type: 'string', short: 'o' },
    'single-file': { type: 'boolean' },
    title: { type: 'string' },
    example: { type: 'string', multiple: true },
    pair: { type: 'string' },
    precision: { type: 'string' },
    threads: { type: 'boolean' },
    force: { type: 'boolean' },
  },
  async run(values) {
    checkNeeds(values, ['pair'], 'example', help);
    const folder = modelOf(values, help);
    const { output, force } = values;
    if (typeof output !== 'string' || output === '') throw new UsageError('-o PATH is missing', help);
    const options = optionsOf(values, folder);
    if (values['single-file']) {
      if (options.threads) throw new UsageError('--single-file has one thread: a file gets no shared memory', help);
      checkFile(folder, output, force === true);
      const model = await openModel(folder, options);
      const bytes = await atomically(output, (target) => writeSingleFile(model, target));
      return report(values, output, { [path.basename(output)]: bytes });
    }
    if (/\.html?$/i.test(output)) throw new UsageError(`${output} would be a folder; one file is written with --single-file`, help);
    checkOutput(folder, output, { force: force === true, kind: 'site', written: filesOfSite });
    const model = await openModel(folder, options);
    report(values, output, await folderAtomically(output, (target) => writeSite(model, target)));
  },
};

function optionsOf(values: Values, folder: string): SiteOptions {
  const { title, example = [], pair, precision = 'auto', threads } = values;
  if (precision !== 'auto' && precision !== 'int8' && precision !== 'float32') {
    throw new UsageError(`--precision must be auto, int8 or float32, not ${JSON.stringify(precision)}`, help);
  }
  return {
    title: typeof title === 'string' && title.trim() !== '' ? title : path.basename(path.resolve(folder)),
    examples: (example as string[]).map((text) => (typeof pair === 'string' ? { text, pair } : { text })),
    precision,
    threads: threads === true,
  };
}

function checkFile(source: string, output: string, force: boolean): void {
  checkOutside(source, output);
  if (!fs.existsSync(output)) return;
  if (readFolder(output)) throw refusal(output, 'is a folder; with --single-file, -o names a file');
  if (!isSite(output)) throw refusal(output, 'is no site; --force replaces sites alone');
  if (!force) throw refusal(output, 'is there; --force replaces it');
}

function report(values: Values, output: string, files: Record<string, number>): void {
  if (values['json']) return printJson({ output, files });
  const kindOf = (name: string) => (/^models\//.test(name) ? 'model' : isEngine(name) ? 'engine' : 'page');
  const sizeOf = (entries: [string, number][]) => megabytes(entries.reduce((sum, [, bytes]) => sum + bytes, 0));
  print(`${output}: ${sizeOf(Object.entries(files))}\n`);
  if (values['single-file']) return print('Open it in a browser.\n');
  for (const kind of ['page', 'engine', 'model']) {
    const entries = Object.entries(files).filter(([name]) => kindOf(name) === kind);
    print(`  ${kind.padEnd(8)}${sizeOf(entries).padStart(10)}  ${counted(entries.length, 'file')}\n`);
  }
  print(`Any web server may serve it, at any path. To look at it here: cd ${output} && python3 -m http.server\n`);
}
