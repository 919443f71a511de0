// Importing this defines <headlight-text>, <headlight-heads> and <headlight-heatmap>. On a server it does nothing.

import { defineElements } from './index.js';

defineElements();

export * from './index.js';
