// Importing this defines <headlight-text>, <headlight-heads> and <headlight-heatmap>; on a server, nothing.

import { defineElements } from './index.js';

defineElements();

export * from './index.js';
