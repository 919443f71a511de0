export { expandAttention } from './compact-attention.js';
export {
  faithfulness,
  type Faithfulness,
  type FaithfulnessOptions,
  type RemovalCurve,
  type WordScores,
} from './faithfulness.js';
export { cachedFiles, clearCache, load, loadTokenizer, prefetch } from './load.js';
export { HeadlightError, errorAdvice, type ErrorCode } from './errors.js';
export { pipeline, type PipelineOptions } from './pipeline/pipeline.js';
export type * from './pipeline/types.js';
export { search, type SearchOptions, type Vector } from './search.js';
export {
  DirectoryHandleSource,
  DirectorySource,
  FilesSource,
  UrlSource,
  type ByteRange,
  type DirectoryHandle,
  type ModelSource,
  type SourceFile,
} from './source.js';
export type * from './types.js';
