// A site of one model alone: what `headlight site` writes into index.html.

import type { LoadOptions, ModelInfo } from '../src/types.js';

export interface Site {
  title: string;
  /** The model's folder, against the page's address. */
  model: string;
  /** The model's files lie in the page itself. */
  held: boolean;
  precision: NonNullable<LoadOptions['precision']>;
  /** Before the model is here. */
  info: ModelInfo;
  /** Those of the task where there are none. */
  examples: readonly { text: string; pair?: string }[];
}

function read(): Site | null {
  const block = document.getElementById('headlight-site');
  return block ? (JSON.parse(block.textContent) as Site) : null;
}

/** null: the page with its demos. */
export const site = read();
