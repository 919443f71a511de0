#!/usr/bin/env node
// Builds the documentation as a site of static files.
//
//   npm run docs [-- --out FOLDER]     (after npm run build; dist/docs by default)
//
// README, docs/, examples, the models' cards, CHANGELOG and CONTRIBUTING become pages; a file of the project that they link
// to, a page of source. The reference comes from the comments of web/src. The site links to the demo beside it, ../app.

import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { codeBlock, escapeHtml, renderPage } from './docs/markdown.mjs';
import { sections, titles } from './docs/navigation.mjs';
import { readExports, referencePages } from './docs/reference.mjs';
import { bundleSpeed, speedPage } from './docs/speed.mjs';
import { SetupError, filesBelow, root, say } from './setup/common.mjs';

const dist = process.env.HEADLIGHT_DIST ?? path.join(root, 'dist');
const read = (file) => fs.readFileSync(path.join(root, file), 'utf8');
const isFolder = (file) => fs.statSync(path.join(root, file)).isDirectory();

/** Where a file or folder of the project has its page. */
function pageOf(file) {
  const parts = file.split('/');
  if (file === 'README.md') return 'index.html';
  if (file === 'models' || file === 'examples') return `${file}/index.html`;
  if (parts.length === 1 && file.endsWith('.md')) return `${file.slice(0, -3).toLowerCase()}.html`;
  if (parts.length === 2 && parts[0] === 'docs' && file.endsWith('.md')) return `${parts[1].slice(0, -3)}.html`;
  if (parts[0] === 'models' && (parts.length === 2 || parts[2] === 'README.md')) {
    return `models/${parts[1].replace(/\.md$/, '').toLowerCase()}.html`;
  }
  if (parts[0] === 'examples' && parts.length === 2) return `${file}.html`;
  return isFolder(file) ? `source/${file}/index.html` : `source/${file}.html`;
}

const foldersBelow = (folder) =>
  fs
    .readdirSync(path.join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    .map(({ name }) => `${folder}/${name}`)
    .sort();

const sourcesBelow = (folder) =>
  filesBelow(path.join(root, folder))
    .map((file) => path.posix.join(folder, file))
    .filter((file) => !/package-lock\.json$|(^|\/)(node_modules|dist|model|\.[^/]*)\//.test(file))
    .sort();

/** The files that are pages whether or not one links to them. */
function startingFiles() {
  const docs = fs.readdirSync(path.join(root, 'docs')).filter((name) => name.endsWith('.md'));
  return ['README.md', ...docs.map((name) => `docs/${name}`), 'examples', ...foldersBelow('examples'), 'models', ...cards(), 'CHANGELOG.md'];
}

/** The site's pages by address: { title, description, headings, html }, and the files that are copied, from by to. */
function makePages() {
  const pages = new Map();
  const copied = new Map();
  const waiting = startingFiles();

  // What page `from`, made of `file`, writes for an address of Markdown.
  const linker = (file, from) => (address) => {
    if (/^[a-z]+:/.test(address) || address.startsWith('#')) return address;
    const [target, fragment] = address.split('#');
    const absolute = path.posix.join(isFolder(file) ? file : path.posix.dirname(file), target).replace(/\/$/, '');
    if (!fs.existsSync(path.join(root, absolute))) throw new SetupError(`${file} links to ${address}, which is not there`);
    waiting.push(absolute);
    return relative(from, pageOf(absolute)) + (fragment ? `#${fragment}` : '');
  };
  const imager = (file, from) => (address) => {
    const absolute = path.posix.join(path.posix.dirname(file), address);
    const to = `images/${path.posix.basename(absolute)}`;
    copied.set(absolute, to);
    return { src: relative(from, to), ...sizeOfPng(absolute) };
  };

  while (waiting.length > 0) {
    const file = waiting.pop();
    const page = pageOf(file);
    if (pages.has(page)) continue;
    const text = textOf(file);
    const content = text === null ? sourcePage(file) : renderPage(text, { link: linker(file, page), image: imager(file, page) });
    pages.set(page, { source: file, ...content });
  }
  return { pages, copied };
}

/** A file's or folder's Markdown; null where it is shown as source. */
function textOf(file) {
  if (file.endsWith('.md')) return read(file);
  if (!isFolder(file)) return null;
  if (file === 'models') return listText('Demo models', 'Small models that the demo runs: [where they come from](ATTRIBUTION.md).', cards(), told);
  if (file === 'examples') {
    const intro = 'Small projects, complete with their package.json, which the tests install and run: [what each is for](../docs/packaging.md).';
    return listText('Examples', intro, foldersBelow('examples'), packagesOf);
  }
  if (path.posix.dirname(file) === 'examples') return exampleText(file);
  if (fs.existsSync(path.join(root, file, 'README.md'))) return read(`${file}/README.md`);
  const list = sourcesBelow(file).map((name) => `- [${path.posix.relative(file, name)}](${path.posix.relative(file, name)})`);
  return `# ${file}\n\nFiles of the project.\n\n${list.join('\n')}\n`;
}

const listText = (title, intro, folders, what) =>
  `# ${title}\n\n${intro}\n\n${folders.map((folder) => `- [${path.basename(folder)}](${path.basename(folder)}): ${what(folder)}`).join('\n')}\n`;

const cards = () => foldersBelow('models').filter((folder) => fs.existsSync(path.join(root, folder, 'README.md')));

/** The first sentence of a card. */
function told(folder) {
  const { description } = renderPage(read(`${folder}/README.md`), { link: (address) => address });
  return /^.*?[.;](?= |$)/.exec(description)[0].replace(/;$/, '.');
}

/** What an example is built with. */
function packagesOf(folder) {
  const { dependencies, devDependencies } = JSON.parse(read(`${folder}/package.json`));
  const packages = Object.entries({ ...dependencies, ...devDependencies }).filter(([name]) => name !== 'bert-headlight');
  return packages.map((entry) => entry.join(' ')).join(', ') || 'no other package';
}

/** An example's files, one below the other; the model's, which are no text, are not among them. */
function exampleText(folder) {
  const files = sourcesBelow(folder).filter((file) => /\.(c?js|mjs|jsx|ts|json|html|svelte|vue|css)$/.test(file));
  const blocks = files.map((file) => {
    const name = path.posix.relative(folder, file);
    return `## ${name}\n\n\`\`\`${languageOf(name)}\n${read(file)}\`\`\`\n`;
  });
  const intro = `The folder \`${folder}\` of the project: copy it, and put a model's folder where it loads one. [What it is for](../../docs/packaging.md).`;
  return `# Example: ${path.basename(folder)}\n\n${intro}\n\n${blocks.join('\n')}`;
}

const languageOf = (file) => ({ '.mjs': 'js', '.def': 'cpp', '.h': 'cpp', '.py': 'python' })[path.extname(file)] ?? path.extname(file).slice(1);

function sourcePage(file) {
  const html = `<h1 id="file">${escapeHtml(file)}</h1>\n${codeBlock(read(file), languageOf(file))}`;
  return { title: file, description: `The file ${file} of the project.`, headings: [{ level: 1, id: 'file', title: file }], html };
}

function sizeOfPng(file) {
  const header = fs.readFileSync(path.join(root, file)).subarray(0, 24);
  if (header.toString('latin1', 1, 4) !== 'PNG') throw new SetupError(`${file} is no PNG`);
  return { width: header.readUInt32BE(16), height: header.readUInt32BE(20) };
}

// ---------------------------------------------------------------------------------------------

const relative = (from, to) => path.posix.relative(path.posix.dirname(from), to) || path.posix.basename(to);

/** The menu: [{ title, links: [{ title, page, fragment }] }]; pages of docs/ that no section names stand in the last one. */
function menuOf(pages) {
  const named = new Set(sections.flatMap(({ links }) => links.map(([, page]) => page)));
  const more = [...pages].filter(([page, { source }]) => /^docs\/[^/]*\.md$/.test(source ?? '') && !named.has(page));
  return sections.map(({ title, links }, i) => ({
    title,
    links: [
      ...links.map(([name, page, fragment]) => ({ title: name, page, fragment })),
      ...(i === sections.length - 1 ? more.map(([page, { title: name }]) => ({ title: name, page })) : []),
    ],
  }));
}

function menuHtml(menu, current) {
  const link = ({ title, page, fragment }) => {
    const mark = page === current && !fragment ? ' aria-current="page"' : '';
    return `<li><a href="${relative(current, page)}${fragment ? `#${fragment}` : ''}"${mark}>${escapeHtml(title)}</a></li>`;
  };
  return menu.map(({ title, links }) => `<p>${escapeHtml(title)}</p>\n<ul>${links.map(link).join('\n')}</ul>`).join('\n');
}

function contentsHtml(headings) {
  const second = headings.filter(({ level }) => level === 2);
  if (second.length < 3) return '';
  const links = second.map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`);
  return `<nav class="contents" aria-labelledby="on-this-page"><p id="on-this-page">On this page</p><ul>${links.join('\n')}</ul></nav>`;
}

const plainPolicy = "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'";
const scriptPolicy = `${plainPolicy}; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'`;

function htmlOf(address, page, menu) {
  const title = titles[address] ?? page.title;
  const order = menu.flatMap(({ links }) => links.filter(({ fragment }) => !fragment));
  const next = order[order.findIndex((link) => link.page === address) + 1];
  const following = order.some((link) => link.page === address) && next ? `<p>Next: <a href="${relative(address, next.page)}">${escapeHtml(next.title)}</a></p>` : '';
  const [head, body] = page.html.split('</h1>\n');
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${page.script ? scriptPolicy : plainPolicy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="description" content="${escapeHtml(page.description.slice(0, 200))}" />
    <title>${escapeHtml(address === 'index.html' ? title : `${title} · Headlight`)}</title>
    <link rel="icon" href="${relative(address, 'icon.svg')}" />
    <link rel="stylesheet" href="${relative(address, 'docs.css')}" />${page.script ? `\n    <script type="module" src="${relative(address, page.script)}"></script>` : ''}
  </head>
  <body>
    <a class="skip" href="#main">To the text</a>
    <header>
      <a class="name" href="${relative(address, 'index.html')}">Headlight</a>
      <button class="button" type="button" popovertarget="menu">Menu</button>
      <a href="${relative(address, '../app/index.html')}">Demo</a>
    </header>
    <nav id="menu" popover aria-label="Pages">
${menuHtml(menu, address)}
    </nav>
    <main id="main" tabindex="-1">
${head}</h1>
${contentsHtml(page.headings)}
<article>
${body}</article>
<footer>${following}</footer>
    </main>
  </body>
</html>
`;
}

/** The page's colours and faces, so that the demo and the site have one palette. */
function styleSheet() {
  const [palette] = /^:root \{.*?^\}\n/ms.exec(read('web/app/app.css'));
  return `${palette}\n${read('web/docs/docs.css')}`;
}

/** Writes the site into the folder `out`, in place of the site that may be there. */
export async function buildDocs({ out = path.join(dist, 'docs') } = {}) {
  const manifest = path.join(dist, 'custom-elements.json');
  if (!fs.existsSync(manifest)) throw new SetupError(`${manifest} is not there: npm run build comes first`);
  if (fs.existsSync(out) && !fs.existsSync(path.join(out, 'docs.css'))) throw new SetupError(`${out} is there, and is no site of this documentation`);
  const elements = JSON.parse(fs.readFileSync(manifest, 'utf8')).modules.flatMap(({ declarations }) => declarations);

  const { pages, copied } = makePages();
  for (const [page, content] of Object.entries(referencePages(readExports(), elements))) pages.set(page, content);
  pages.set('speed.html', speedPage(read('docs/benchmarks.md')));
  const menu = menuOf(pages);

  fs.rmSync(out, { recursive: true, force: true });
  const write = (name, content) => {
    fs.mkdirSync(path.dirname(path.join(out, name)), { recursive: true });
    fs.writeFileSync(path.join(out, name), content);
  };
  for (const [address, page] of pages) write(address, htmlOf(address, page, menu));
  for (const [from, to] of copied) write(to, fs.readFileSync(path.join(root, from)));
  write('icon.svg', read('web/app/icon.svg'));
  write('docs.css', styleSheet());
  await bundleSpeed(out, dist);
  return { pages: pages.size };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    const { values } = parseArgs({ options: { out: { type: 'string' } } });
    const { pages } = await buildDocs(values.out ? { out: path.resolve(values.out) } : {});
    say(`${pages} pages in ${values.out ?? 'dist/docs'}`);
  } catch (error) {
    if (!(error instanceof SetupError) && !error.code?.startsWith('ERR_PARSE_ARGS')) throw error;
    console.error(`headlight: ${error.message}`);
    process.exitCode = 1;
  }
}
