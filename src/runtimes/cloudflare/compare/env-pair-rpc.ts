/** The RPC interface of a pair's object: six public methods, and one that calls the store's port. */
import type { EdgeEnv } from '../edge-env.js';
import { objectOf } from '../placement.js';
import type { WireResult } from '../wire-faults.js';
import type { PairMethods } from './pair-methods.js';

/** `store` is for our Worker. */
export interface EnvPairRpc extends PairMethods {
  /** Calls a method of the comparison store's port. Coded errors are returned as data. */
  store(method: string, args: readonly unknown[]): Promise<WireResult<unknown>>;
}

export function envPairOf(env: EdgeEnv, pairKey: string): EnvPairRpc {
  return objectOf(env, 'ENVPAIR_DO', pairKey);
}
