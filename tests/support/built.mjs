// Where the built package lies, and its modules one by one.

import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const dist = process.env.HEADLIGHT_DIST ?? path.join(root, 'dist');
const modules = process.env.HEADLIGHT_MODULES ?? path.join(root, 'build/web');

/** The library as users import it. */
export const library = await import(pathToFileURL(path.join(dist, 'index.js')));

/** A module of web/src by itself: importModule('platform.js'). */
export const importModule = (name) => import(pathToFileURL(path.join(modules, 'src', name)));
