// The model of a site: the files that the page will ask for, and no others.

import path from 'node:path';
import { load } from '../../load.js';
import { DirectorySource, type ByteRange, type ModelSource, type SourceFile } from '../../source.js';
import type { ModelInfo } from '../../types.js';
import { describeFiles, manifestName, type Manifest } from '../manifest.js';
import { namesIn } from '../output.js';

export interface SiteOptions {
  title: string;
  examples: { text: string; pair?: string }[];
  precision: 'auto' | 'int8' | 'float32';
  /** Cross-origin isolation by the service worker. */
  threads: boolean;
}

export interface SiteModel extends SiteOptions {
  folder: string;
  /** The folder's name, of characters that mean nothing in an address. */
  name: string;
  info: ModelInfo;
  files: string[];
  /** For a folder that has none, so that the page asks for nothing in vain and knows all sizes. */
  manifest: Manifest | null;
}

/** A directory that remembers which of its files were opened. */
class WatchedSource extends DirectorySource implements ModelSource {
  readonly opened = new Set<string>();

  override async open(name: string, range?: ByteRange): Promise<SourceFile | null> {
    const file = await super.open(name, range);
    if (file) this.opened.add(name);
    return file;
  }
}

/** Loads the model, which shows that it loads and what of the folder it takes. */
export async function openModel(folder: string, options: SiteOptions): Promise<SiteModel> {
  namesIn(folder);
  const source = new WatchedSource(folder);
  const model = await load(source, { precision: options.precision });
  model.dispose();
  const files = [...source.opened].sort();
  const name = path.basename(path.resolve(folder)).replace(/[^A-Za-z0-9.-]+/g, '-').replace(/^[.-]+/, '') || 'model';
  const manifest = files.includes(manifestName) ? null : await describeFiles(folder, files);
  return { ...options, folder, name, info: model.info, files, manifest };
}
