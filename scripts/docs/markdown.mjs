// Markdown and code as HTML: headings with anchors as GitHub names them, links through a function, code highlighted, and
// nothing of a text taken for HTML.

import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import cpp from 'highlight.js/lib/languages/cpp';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { Marked } from 'marked';

const languages = { bash, cpp, javascript, json, python, typescript, xml, yaml };
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);
hljs.registerAliases(['svelte', 'vue'], { languageName: 'xml' });
hljs.registerAliases(['cjs'], { languageName: 'javascript' });

export const escapeHtml = (text) => text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]);

/** The inside of <code>; plain where the language is unknown. */
export const highlight = (code, language) =>
  language && hljs.getLanguage(language) ? hljs.highlight(code, { language }).value : escapeHtml(code);

/** A block of code, which the keyboard can scroll. */
export const codeBlock = (code, language) => `<pre tabindex="0"><code>${highlight(code, language)}</code></pre>\n`;

/** A table that scrolls where it is wider than the page; `label` names it for screen readers. */
export const scroller = (table, label) => `<div class="scroll" role="group" tabindex="0" aria-label="${escapeHtml(label)}">${table}</div>\n`;

const slugOf = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replace(/ /g, '-');

/** Gives each heading of a page an id of its own, as GitHub does. */
export function slugger() {
  const seen = new Map();
  return (text) => {
    const slug = slugOf(text);
    const before = seen.get(slug);
    seen.set(slug, (before ?? -1) + 1);
    return before === undefined ? slug : `${slug}-${before + 1}`;
  };
}

/** A heading that can be linked to. `title`: its text; `html`: the same as HTML. */
export const heading = (level, id, title, html = escapeHtml(title)) =>
  `<div class="heading"><h${level} id="${id}">${html}</h${level}>` +
  `<a class="anchor" href="#${id}" aria-label="Link to ${escapeHtml(title)}">#</a></div>\n`;

const plain = (tokens) =>
  tokens.map((token) => (token.tokens ? plain(token.tokens) : token.type === 'html' ? token.raw : token.text)).join('');

function withoutFrontMatter(text) {
  return text.replace(/^---\n.*?\n---\n/s, '');
}

/**
 * A page. `link(address)` gives where a link leads, `image(address)` { src, width, height }.
 * Gives { title, description, headings: [{ level, id, title }], html }; the html begins with the <h1>.
 */
export function renderPage(markdown, { link, image }) {
  const slug = slugger();
  const headings = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const title = plain(tokens);
        const id = slug(title);
        headings.push({ level: depth, id, title });
        const html = this.parser.parseInline(tokens);
        return depth === 1 ? `<h1 id="${id}">${html}</h1>\n` : heading(depth, id, title, html);
      },
      link({ href, tokens }) {
        return `<a href="${escapeHtml(link(href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      image({ href, text }) {
        const { src, width, height } = image(href);
        return `<img src="${escapeHtml(src)}" alt="${escapeHtml(text)}" width="${width}" height="${height}" />`;
      },
      code: ({ text, lang }) => codeBlock(text, lang),
      html: ({ raw }) => (/^<!--.*-->\s*$/s.test(raw) ? '' : escapeHtml(raw)),
      table({ header, rows }) {
        const cell = (tag, { tokens, align }) => {
          const html = this.parser.parseInline(tokens);
          const name = html === '' ? 'td' : tag;
          return `<${name}${align ? ` class="${align}"` : ''}>${html}</${name}>`;
        };
        const named = header.some(({ tokens }) => tokens.length > 0);
        const head = named ? `<thead><tr>${header.map((one) => cell('th', one)).join('')}</tr></thead>` : '';
        const body = rows.map((row) => `<tr>${row.map((one) => cell('td', one)).join('')}</tr>`).join('\n');
        return scroller(`<table>${head}<tbody>${body}</tbody></table>`, `Table: ${headings.at(-1)?.title ?? ''}`);
      },
    },
  });
  const tokens = marked.lexer(withoutFrontMatter(markdown));
  const first = tokens.find(({ type }) => type === 'paragraph');
  const html = marked.parser(tokens);
  return { title: headings[0].title, description: first ? plain(first.tokens).replace(/\s+/g, ' ') : '', headings, html };
}

const inComments = new Marked({
  renderer: {
    html: ({ raw }) => escapeHtml(raw),
    code: ({ text, lang }) => codeBlock(text, lang),
  },
});

/** The text of a comment in the code. */
export const renderComment = (text) => inComments.parse(text);
/** The same within a line. */
export const renderInline = (text) => inComments.parseInline(text);
