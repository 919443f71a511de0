// A site as a folder: the page as it was built, the engine, and one model.

import fs from 'node:fs';
import path from 'node:path';
import { filesOfManifest, manifestName, writeManifest } from '../manifest.js';
import { readFolder } from '../output.js';
import { dist, escapeHtml, isSite, replaceOnce, siteBlock } from './html.js';
import type { SiteModel } from './model.js';
import { deploy, readDeployment, serviceWorkerName } from './service-worker.js';

/** The engine's builds and workers lie once in the package, beside the library. */
export const isEngine = (name: string): boolean => /^[^/]*(\.wasm|worker\.js)$/.test(name);

/** Gives the bytes of each file that was written. */
export async function writeSite(model: SiteModel, target: string): Promise<Record<string, number>> {
  const app = path.join(dist, 'app');
  const isPage = (name: string) => fs.statSync(path.join(app, name)).isFile() && !isEngine(name);
  const engine = fs.readdirSync(dist).filter(isEngine);
  const page = fs.readdirSync(app).filter(isPage);
  for (const name of page) await copy(path.join(app, name), path.join(target, name));
  for (const name of engine) await copy(path.join(dist, name), path.join(target, name));

  const folder = path.join('models', model.name);
  for (const name of model.files) await copy(path.join(model.folder, name), path.join(target, folder, name));
  const models = model.files.map((name) => path.posix.join('models', model.name, name));
  if (model.manifest) {
    writeManifest(path.join(target, folder), model.manifest);
    models.push(path.posix.join('models', model.name, manifestName));
  }

  edit(target, 'index.html', (html) => nameSite(html, model));
  edit(target, 'manifest.webmanifest', (json) => {
    const manifest = JSON.parse(json) as object;
    return `${JSON.stringify({ ...manifest, name: model.title, short_name: model.title, description: model.title }, null, 2)}\n`;
  });
  const kept = [...page, ...engine].filter((name) => name !== serviceWorkerName);
  edit(target, serviceWorkerName, (script) => deploy(script, target, kept, model.threads));

  const bytesOf = (name: string): [string, number] => [name, fs.statSync(path.join(target, name)).size];
  return Object.fromEntries([...page, ...engine, ...models].map(bytesOf));
}

/** The files of a site's folder that writeSite wrote; null for a folder that is no site. */
export function filesOfSite(folder: string): string[] | null {
  const [page, worker] = ['index.html', serviceWorkerName].map((name) => path.join(folder, name)) as [string, string];
  if (!isSite(page)) return null;
  const deployment = fs.existsSync(worker) ? readDeployment(fs.readFileSync(worker, 'utf8')) : null;
  const models = path.join(folder, 'models');
  const ofModels = (readFolder(models) ?? []).flatMap((name) =>
    (filesOfManifest(path.join(models, name)) ?? []).map((file) => path.posix.join('models', name, file)),
  );
  return ['index.html', serviceWorkerName, ...(deployment?.files ?? []).map(({ url }) => url), ...ofModels];
}

function nameSite(html: string, model: SiteModel): string {
  const titled = replaceOnce(html, /<title>.*?<\/title>/, `<title>${escapeHtml(model.title)}</title>`);
  const headed = replaceOnce(titled, /<h1>.*?<\/h1>/, `<h1>${escapeHtml(model.title)}</h1>`);
  // It loads from where it lies, and from nowhere else.
  const closed = replaceOnce(headed, /connect-src [^;"]*/, "connect-src 'self'");
  return replaceOnce(closed, /\n *<\/head>/, `\n    ${siteBlock(model, false)}\n  </head>`);
}

/** Contents alone: a site of a read-only folder is not read-only. Not at once, so that Ctrl-C is heard. */
async function copy(from: string, to: string): Promise<void> {
  fs.mkdirSync(path.dirname(to), { recursive: true });
  await fs.promises.copyFile(from, to);
  fs.chmodSync(to, 0o644);
}

function edit(target: string, name: string, change: (text: string) => string): void {
  const file = path.join(target, name);
  fs.writeFileSync(file, change(fs.readFileSync(file, 'utf8')));
}
