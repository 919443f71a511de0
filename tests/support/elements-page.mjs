import { defineElements, mapsOf } from '../../web/src/elements/index.ts';
import { mockResult } from './mock-model.mjs';

defineElements();
Object.assign(globalThis, { mockResult, mapsOf });
