// The default exports of all .ts files of a folder (folder-plugin.mjs).
declare module 'folder:*' {
  const entries: readonly unknown[];
  export default entries;
}
