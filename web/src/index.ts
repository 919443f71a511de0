export { expandAttention } from './compact-attention.js';
export { load, loadTokenizer } from './load.js';
export { HeadlightError, errorAdvice, type ErrorCode } from './errors.js';
export {
  DirectoryHandleSource,
  DirectorySource,
  FilesSource,
  UrlSource,
  type ByteRange,
  type ModelSource,
  type SourceFile,
} from './source.js';
export type * from './types.js';
