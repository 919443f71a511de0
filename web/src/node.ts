// Node's own modules, taken at run time so that no bundler looks for them.

type Modules = {
  'node:crypto': typeof import('node:crypto');
  'node:fs': typeof import('node:fs');
  'node:os': typeof import('node:os');
  'node:path': typeof import('node:path');
  'node:stream': typeof import('node:stream');
  'node:url': typeof import('node:url');
  'node:worker_threads': typeof import('node:worker_threads');
};

/** A module of Node's, or undefined elsewhere. */
export function nodeModule<Name extends keyof Modules>(name: Name): Modules[Name] | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
  return process?.getBuiltinModule?.(name) as Modules[Name] | undefined;
}
