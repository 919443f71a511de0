// Folders in Node.

import { nodeModule } from './node.js';

/**
 * Makes a folder and those above it, in Node, one level at a time: where nothing can be made, as in /proc, Node's recursive
 * mkdir does not return.
 */
export async function makeFolder(folder: string): Promise<void> {
  const { mkdir, stat } = nodeModule('node:fs')!.promises;
  const { dirname } = nodeModule('node:path')!;
  try {
    await mkdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    const above = dirname(folder);
    if (code !== 'ENOENT' || above === folder || (await stat(above).catch(unlessMissing))) throw error;
    await makeFolder(above);
    await makeFolder(folder);
  }
}

/** What is missing is null. */
export function unlessMissing(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw error;
}
