// How the page gets a model: where its bytes come from, where they are kept, and what is done where that fails.

import { HeadlightError, load } from '../src/index.js';
import type { ModelSource } from '../src/source.js';
import type { LoadOptions, Model } from '../src/types.js';
import { HeldSource } from './held-model.js';
import { keepPage } from './offline.js';
import { site } from './site.js';

/** An address, the files of a folder, or the site's own model. */
export type Source = string | readonly File[];

type Options = Pick<LoadOptions, 'signal' | 'onProgress'>;

/** As `load`; when it is done, the page is kept for when there is no network. */
export async function loadModel(source: Source, given: Options): Promise<Model> {
  const own = source === site?.model ? site : null;
  const from: string | readonly File[] | ModelSource = own?.held ? new HeldSource() : source;
  const options: LoadOptions = { ...given, cache: 'persistent', ...(own && { precision: own.precision }) };
  try {
    return await load(from, options);
  } catch (error) {
    // A page that is a file gets no worker in some browsers; then the engine runs on the page's thread, in steps.
    if (location.protocol !== 'file:' || !(error instanceof HeadlightError) || error.code !== 'E_WORKER') throw error;
    return await load(from, { ...options, worker: false });
  } finally {
    keepPage();
  }
}
