// The site's menu, by what one came for: [title, page, fragment].

export const sections = [
  {
    title: 'Start',
    links: [
      ['What it is', 'index.html'],
      ['In your project', 'packaging.html'],
      ['Your own model', 'own-model.html'],
    ],
  },
  {
    title: 'In a page',
    links: [
      ['Light a text', 'elements.html'],
      ['React, Vue, Svelte', 'elements.html', 'react-vue-and-svelte'],
      ['Keep the model', 'reliability.html', 'the-cache'],
      ['transformers.js’ pipeline()', 'pipeline.html'],
    ],
  },
  {
    title: 'Out there',
    links: [
      ['On a server', 'server.html'],
      ['From the command line', 'cli.html'],
      ['Publish a page', 'publishing.html'],
      ['A site for a model', 'sites.html'],
      ['Offline', 'sites.html', 'offline'],
      ['One HTML file', 'sites.html', 'one-file'],
    ],
  },
  {
    title: 'Look up',
    links: [
      ['The library', 'api.html'],
      ['Every export', 'reference/library.html'],
      ['Every element', 'reference/elements.html'],
      ['Every view', 'reference/views.html'],
      ['Model families', 'families.html'],
      ['Files and packs', 'format.html'],
      ['Examples', 'examples/index.html'],
      ['Demo models', 'models/index.html'],
    ],
  },
  {
    title: 'Judge',
    links: [
      ['How fast is it here?', 'speed.html'],
      ['Benchmarks', 'benchmarks.html'],
      ['Which explanation to believe', 'faithfulness.html'],
      ['What goes wrong, and then', 'reliability.html'],
    ],
  },
  {
    title: 'More',
    links: [
      ['The demo page', 'page.html'],
      ['Changes', 'changelog.html'],
      ['The map for contributors', 'contributing.html'],
    ],
  },
];

/** Titles of pages whose headings do not say what they are to a search engine. */
export const titles = {
  'index.html': 'Headlight: BERT in the page, and what its heads look at',
  'reference/library.html': 'Reference: bert-headlight',
  'reference/views.html': 'Reference: bert-headlight/views',
  'reference/elements.html': 'Reference: the elements',
};
