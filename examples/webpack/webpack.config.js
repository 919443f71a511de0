import path from 'node:path';

export default {
  mode: 'production',
  entry: './main.js',
  output: { path: path.resolve('site') },
  // The engine is 0.5 MB a build, of which a page loads one.
  performance: { hints: false },
};
