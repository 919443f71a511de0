import { withCuts } from './results.js';
import type { Cut, Entity, Results } from '../types.js';

/** What the engine returns for one input. */
export interface EntitiesReply {
  entities: Entity[];
  truncated: Cut[];
}

export const toEntities = ({ entities, truncated }: EntitiesReply): Results<Entity> => withCuts(entities, truncated);
