// Results as narrow as the options of a call are known to the compiler.

import type { AttentionAxis, ForwardOptions, ForwardResult } from './types.js';

/** Refuses properties that `Known` does not have, as for options that are no type parameter. */
export type Only<Options, Known> = Options & { [Name in Exclude<keyof Options, keyof Known>]: never };

type Option<Options, Name extends PropertyKey> = Name extends keyof Options ? Options[Name] : undefined;

// ---------------------------------------------------------------------------------------------
// forward

type Asked<Options, Name extends keyof ForwardOptions, Names extends keyof ForwardResult> =
  Option<Options, Name> extends true ? Required<Pick<ForwardResult, Names>> : unknown;

/** What was asked for and every model has is there. */
export type ForwardedOf<Options> = Asked<Options, 'lastHiddenState', 'lastHiddenState'> &
  Asked<Options, 'hiddenStates', 'hiddenStates'> &
  Asked<Options, 'attentions', 'attentions'> &
  Asked<Options, 'compactAttentions', 'compactAttentions'> &
  Asked<Options, 'queriesKeysValues', 'queries' | 'keys' | 'values'>;

// ---------------------------------------------------------------------------------------------
// attention

/** Whether an axis of a list is left: not where one entry was asked for; boolean where that is not known. */
type IsSeveral<List> = List extends readonly unknown[]
  ? number extends List['length']
    ? boolean
    : List['length'] extends 1
      ? false
      : true
  : true;

/** Whether an axis of a list is left that may have been reduced. */
type IsLeft<List, Reduction> = Reduction extends 'mean' | 'max' ? false : IsSeveral<List>;

type Axis<Name extends AttentionAxis, Left> = Left extends true ? [Name] : [];

type QueryIsLeft<Query> = Query extends 'all' ? true : false;

/** The axes that are left of layer, head, query, key. */
export type AxesOf<Options> = [
  ...Axis<'layer', IsLeft<Option<Options, 'layers'>, Option<Options, 'reduceLayers'>>>,
  ...Axis<'head', IsLeft<Option<Options, 'heads'>, Option<Options, 'reduceHeads'>>>,
  ...Axis<'query', QueryIsLeft<Option<Options, 'query'>>>,
  'key',
];

/** A size for each of a tuple's entries. */
export type SizesOf<Axes extends readonly unknown[]> = { [Index in keyof Axes]: number };

// ---------------------------------------------------------------------------------------------
// entities, embed

type IndexOf<Aggregation> = Aggregation extends 'none' | undefined ? { index: number } : { index?: undefined };

/** Tokens have an index, what was merged has none. */
export type EntityOf<Options> = IndexOf<Option<Options, 'aggregation'>>;

type EmbeddingShape<Pooling> = Pooling extends 'none' ? [tokens: number, hiddenSize: number] : [size: number];

export type EmbeddingShapeOf<Options> = EmbeddingShape<Option<Options, 'pooling'>>;
