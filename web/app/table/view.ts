export interface OpenTable { file: File; shown: boolean }
