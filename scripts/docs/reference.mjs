// The reference: what the package exports, by TypeScript's own reading of web/src, and what its elements have, by
// dist/custom-elements.json. TypeScript's API is marked as unstable, its version is exact in package.json.

import path from 'node:path';
import { SyntaxKind } from 'typescript/unstable/ast';
import { API, SymbolFlags } from 'typescript/unstable/sync';
import { root } from '../setup/common.mjs';
import { escapeHtml, heading, highlight, renderComment, renderInline, scroller, slugger } from './markdown.mjs';

/** The modules that have pages, by their page; a name stands on the first page that has it. */
export const modules = {
  'reference/library.html': { name: 'bert-headlight', file: 'web/src/index.ts' },
  'reference/views.html': { name: 'bert-headlight/views', file: 'web/src/elements/views.ts' },
  'reference/elements.html': { name: 'bert-headlight/element', file: 'web/src/elements/index.ts' },
};

/**
 * By module of `modules`: [{ name, kind, comment, code, members, section }] in the order of the source. `isExported` is false of
 * the types that these name and nobody can import; they come last.
 */
export function readExports() {
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProjects: [path.join(root, 'tsconfig.json')] }).getProjects();
    const exported = Object.entries(modules).map(([page, { file }]) => {
      const source = project.program.getSourceFile(path.join(root, file));
      const symbols = project.checker.getExportsOfModule(project.checker.getSymbolAtLocation(source));
      return [page, symbols.map((symbol) => ({ ...describe(symbol, project), isExported: true }))];
    });
    const known = new Set(exported.flatMap(([, entries]) => entries.map(({ name }) => name)));
    return Object.fromEntries(exported.map(([page, entries]) => [page, [...entries, ...typesBehind(entries, known, project)]]));
  } finally {
    api.close();
  }
}

function describe(exported, project) {
  const { checker } = project;
  const isAlias = exported.declarations[0].resolve(project).kind === SyntaxKind.ExportSpecifier;
  const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
  const nodes = symbol.declarations.map((handle) => handle.resolve(project));
  const comment = checker.getDocumentationCommentOfSymbol(symbol);
  return { name: exported.name, comment, section: sectionOf(nodes[0]), node: nodes[0], ...shapeOf(nodes, symbol) };
}

/**
 * The types of web/src that `entries` name and that are not among `known`, and those that these name in turn; of those that
 * narrow a result by its options, only the first.
 */
function typesBehind(entries, known, project) {
  const { checker } = project;
  const found = [];
  const waiting = entries.filter(({ node }) => !isElement(node));
  while (waiting.length > 0) {
    const { node, code, members = [] } = waiting.shift();
    const own = new Set((node.typeParameters ?? []).map(({ name }) => name.getText()));
    for (const name of typeNames([code, ...members.map((member) => member.code)].join('\n'))) {
      if (known.has(name) || own.has(name)) continue;
      const symbol = checker.resolveName(name, SymbolFlags.Type, node, true);
      const declaration = symbol?.declarations[0].resolve(project);
      const target = declaration?.kind === SyntaxKind.ImportSpecifier ? checker.getAliasedSymbol(symbol) : symbol;
      const { kind } = target?.declarations[0].resolve(project) ?? {};
      if (kind !== SyntaxKind.InterfaceDeclaration && kind !== SyntaxKind.TypeAliasDeclaration) continue;
      known.add(name);
      const entry = { ...describe(target, project), isExported: false };
      found.push(entry);
      if (!entry.node.getSourceFile().fileName.endsWith('/narrow.ts')) waiting.push(entry);
    }
  }
  return found;
}

/** Elements are told by their manifest. */
const isElement = (node) => node.kind === SyntaxKind.ClassDeclaration && /extends ViewElement\b/.test(node.getText());

const typeNames = (code) => new Set(code.replace(/'[^'\n]*'|\/\*[\s\S]*?\*\//g, '').match(/\b[A-Z]\w*\b/g));

// types.ts is cut by lines over a name: "// -----", "// Text".
function sectionOf(node) {
  const file = path.relative(path.join(root, 'web/src'), node.getSourceFile().fileName).replace(/\.ts$/, '');
  const before = node.getSourceFile().text.slice(0, node.getStart());
  return [...before.matchAll(/^\/\/ -{20,}\n\/\/ (.+)$/gm)].at(-1)?.[1] ?? file;
}

/** The text from a node's start to where `end` starts, without modifiers and what leads to a body, moved to the left. */
function headOf(node, end) {
  const { text } = node.getSourceFile();
  const start = node.getStart();
  const indent = /[ \t]*$/.exec(text.slice(0, start))[0];
  return text
    .slice(start, end ? end.getStart() : node.getEnd())
    .replaceAll(`\n${indent}`, '\n')
    .replace(/^(export |async |override )*/, '')
    .replace(/\s*(=>|=|\{)?\s*$/, '')
    .replace(/;$/, '');
}

function shapeOf(nodes, symbol) {
  const [node] = nodes;
  switch (node.kind) {
    case SyntaxKind.FunctionDeclaration: {
      const overloads = nodes.filter(({ body }) => !body || nodes.length === 1);
      return { kind: 'function', code: overloads.map((one) => headOf(one, one.body)).join('\n') };
    }
    case SyntaxKind.VariableDeclaration: {
      const { initializer } = node;
      if (initializer?.kind !== SyntaxKind.ArrowFunction) return { kind: 'constant', code: `const ${node.getText()}` };
      const name = `function ${node.name.getText()}`;
      return { kind: 'function', code: name + headOf(initializer, initializer.equalsGreaterThanToken) };
    }
    case SyntaxKind.InterfaceDeclaration:
      return { kind: 'interface', code: headOf(node, node.members[0]).replace(/\s*\{[\s\S]*$/, ''), members: membersOf(node) };
    case SyntaxKind.ClassDeclaration:
      return { kind: 'class', code: headOf(node, node.members[0]).replace(/\s*\{[\s\S]*$/, ''), members: membersOf(node) };
    case SyntaxKind.TypeAliasDeclaration:
      return { kind: 'type', code: headOf(node) };
    default:
      throw new Error(`the reference knows no ${SyntaxKind[node.kind]}, which ${symbol.name} is`);
  }
}

/** What others see of an interface or class: [{ name, code, comment }], overloads of a method together. */
function membersOf(node) {
  const members = new Map();
  for (const member of node.members) {
    const name = member.name?.getText() ?? (member.kind === SyntaxKind.Constructor ? 'constructor' : 'call');
    if (name.startsWith('#') || /^(private|protected|static)\b/.test(member.getText())) continue;
    const entry = members.get(name) ?? { name, code: [], comment: '' };
    const end = member.body ?? (node.kind === SyntaxKind.ClassDeclaration ? member.initializer : undefined);
    entry.code.push(headOf(member, end).replace(/^constructor/, `new ${node.name.getText()}`));
    entry.comment ||= commentOf(member);
    members.set(name, entry);
  }
  return [...members.values()].map(({ code, ...rest }) => ({ ...rest, code: code.join('\n') }));
}

const commentOf = (node) =>
  (node.jsDoc?.at(-1)?.getText() ?? '')
    .replace(/^\/\*\*\s?|\s*\*\/$/g, '')
    .replace(/^[ \t]*\* ?/gm, '')
    .trim();

// ---------------------------------------------------------------------------------------------

/** Pages of `exported`, what readExports gives, and of the elements: { page: { title, description, headings, html } }. */
export function referencePages(exported, elements) {
  const places = new Map();
  for (const [page, entries] of Object.entries(exported)) {
    for (const { name } of entries) if (!places.has(name)) places.set(name, page);
  }
  return Object.fromEntries(
    Object.keys(modules).map((page) => {
      const own = exported[page].filter(({ name }) => places.get(name) === page);
      const others = exported[page].filter(({ name }) => places.get(name) !== page);
      const writer = new Writer(page, places);
      if (page === 'reference/elements.html') writer.elements(elements);
      const isElement = ({ name }) => elements.some((element) => element.name === name);
      writer.entries(own.filter((entry) => page !== 'reference/elements.html' || !isElement(entry)));
      writer.others(others);
      return [page, writer.page()];
    }),
  );
}

const intros = {
  'reference/library.html':
    'Every name that `bert-headlight` exports, and `bert-headlight/inline` with it, from the comments of its source. [How it is used](../api.html) comes first.',
  'reference/views.html':
    'What the elements show, as numbers, for pages that draw it themselves: `bert-headlight/views`, without Lit. `bert-headlight/element` exports the same names.',
  'reference/elements.html':
    'What the elements have, from the comments of their source; `bert-headlight/element` exports their classes and what follows them. [How they are used](../elements.html) comes first.',
};

const kinds = [
  ['Functions', 'function'],
  ['Classes', 'class'],
  ['Constants', 'constant'],
];

class Writer {
  #slug = slugger();
  #headings = [];
  #html = '';
  #page;
  #places;

  constructor(page, places) {
    this.#page = page;
    this.#places = places;
    const title = modules[page].name;
    this.#headings.push({ level: 1, id: this.#slug(title), title });
    this.#html += `<h1 id="${this.#headings[0].id}">${title}</h1>\n${renderComment(intros[page])}`;
  }

  page() {
    const plain = intros[this.#page].replace(/`|\[|\]\([^)]*\)/g, '');
    return { title: modules[this.#page].name, description: plain, headings: this.#headings, html: this.#html };
  }

  #heading(level, title, id = this.#slug(title), html = undefined) {
    this.#headings.push({ level, id, title });
    this.#html += heading(level, id, title, html);
  }

  /** Code in which the names of the reference lead to where they stand. */
  #code(code, but) {
    const html = highlight(code, 'typescript');
    // Text between tags, outside strings: highlight.js marks these.
    return html.replace(/(<span class="hljs-string">[\s\S]*?<\/span>|<[^>]*>)|\b[A-Za-z]\w*\b/g, (word, skipped) => {
      const page = skipped ? undefined : this.#places.get(word);
      if (!page || word === but || !/^[A-Z]/.test(word)) return word;
      return `<a href="${page === this.#page ? '' : path.basename(page)}#${word}">${word}</a>`;
    });
  }

  #block(code, but) {
    return `<pre class="signature" tabindex="0"><code>${this.#code(code, but)}</code></pre>\n`;
  }

  entries(entries) {
    for (const [title, wanted] of kinds) {
      const group = entries.filter(({ kind }) => kind === wanted);
      if (group.length > 0) this.#group(title, group);
    }
    const types = entries.filter(({ kind }) => kind === 'interface' || kind === 'type');
    for (const [title, group] of groupBySection(types.filter(({ isExported }) => isExported))) this.#group(title, group);
    const behind = types.filter(({ isExported }) => !isExported);
    if (behind.length > 0) this.#group('Types behind these', behind, 'Named above, and not exported.');
  }

  #group(title, group, about = '') {
    this.#heading(2, title);
    this.#html += renderComment(about);
    for (const { name, comment, code, members } of group) {
      this.#heading(3, name, name, `<code>${name}</code>`);
      this.#html += this.#block(code, name) + renderComment(comment);
      if (members?.length > 0) this.#members(name, members);
    }
  }

  #members(owner, members) {
    const rows = members.map(
      ({ name, code, comment }) =>
        `<dt id="${owner}.${escapeHtml(name)}"><code>${this.#code(code)}</code></dt><dd>${renderComment(comment)}</dd>`,
    );
    this.#html += `<dl class="members">${rows.join('\n')}</dl>\n`;
  }

  /** Names that stand on another page. */
  others(entries) {
    if (entries.length === 0) return;
    this.#heading(2, 'Also exported');
    const links = entries.map(({ name }) => `<li><a href="${path.basename(this.#places.get(name))}#${name}"><code>${name}</code></a></li>`);
    this.#html += `<ul class="names">${links.join('')}</ul>\n`;
  }

  elements(elements) {
    for (const element of elements) {
      const tag = `<${element.tagName}>`;
      this.#heading(2, tag, element.tagName, `<code>${escapeHtml(tag)}</code>`);
      const attributes = new Map(element.attributes?.map(({ name, fieldName }) => [fieldName, name]));
      const fields = element.members.filter(({ kind }) => kind === 'field');
      const methods = element.members.filter(({ kind }) => kind === 'method');
      this.#html += `<p id="${element.name}">The class <code>${element.name}</code>. ${renderInline(element.description)}</p>\n`;
      this.#table(`Properties of ${tag}`, ['property', 'attribute', 'type', 'default', ''], fields, (field) => [
        code(field.name),
        attributes.has(field.name) ? code(attributes.get(field.name)) : '',
        this.#typeCell(field.type?.text),
        field.default ? code(field.default) : '',
        renderInline(field.description),
      ]);
      this.#table(`Methods of ${tag}`, ['method', 'gives', ''], methods, (method) => [
        code(`${method.name}(${(method.parameters ?? []).map(({ name }) => name).join(', ')})`),
        this.#typeCell(method.return?.type.text),
        renderInline(method.description),
      ]);
      this.#table(`Events of ${tag}`, ['event', 'type', ''], element.events, (event) => [
        code(event.name),
        this.#typeCell(event.type?.text),
        renderInline(event.description),
      ]);
      const lists = [
        ['Slots', 'slot', element.slots],
        ['Parts', 'part', element.cssParts],
        ['Custom properties', 'custom property', element.cssProperties],
      ];
      for (const [title, column, list] of lists) {
        this.#table(`${title} of ${tag}`, [column, ''], list, ({ name, description }) => [code(name), renderInline(description)]);
      }
    }
  }

  #typeCell(type) {
    return type ? `<code>${this.#code(type)}</code>` : '';
  }

  #table(title, columns, rows = [], cells) {
    if (rows.length === 0) return;
    this.#heading(3, title);
    const head = columns.map((name) => (name ? `<th>${name}</th>` : '<td></td>')).join('');
    const body = rows.map((row) => `<tr>${cells(row).map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n');
    this.#html += scroller(`<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`, title);
  }
}

const code = (text) => `<code>${escapeHtml(text)}</code>`;

// Sections that are files, by what a reader calls them.
const titles = {
  'pipeline/pipeline': 'pipeline()',
  'pipeline/types': 'pipeline()',
  errors: 'Errors',
  faithfulness: 'Faithfulness',
  search: 'Search',
  source: 'Where models lie',
  'elements/derive': 'Attention',
  'elements/links': 'Links',
  'elements/measures': 'Measures',
  'elements/segments': 'Segments',
  'elements/text-format': 'Numbers',
  'elements/view-element': 'All elements',
};
const titleOf = (section) => `Types: ${titles[section] ?? section.replace(/^elements\/headlight-(\w+)$/, '<headlight-$1>')}`;

function groupBySection(entries) {
  const groups = new Map();
  for (const entry of entries) {
    const title = titleOf(entry.section);
    groups.set(title, [...(groups.get(title) ?? []), entry]);
  }
  return groups;
}
