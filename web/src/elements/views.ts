// What the elements show, as numbers: for pages that draw it themselves. Needs neither Lit nor a document.

export * from './derive.js';
export { headMaps, strongestLinks, type Link } from './links.js';
export * from './measures.js';
export { neurons, type Neurons } from './neurons.js';
export { segment, type Segment } from './segments.js';
