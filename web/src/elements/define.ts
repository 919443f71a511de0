// Importing this defines the elements; on a server, nothing.

import { defineElements } from './index.js';

defineElements();

export * from './index.js';
