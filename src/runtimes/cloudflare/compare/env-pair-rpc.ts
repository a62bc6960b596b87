/** The RPC interface of a pair's object: six public methods, and one that calls the store's port. */
import type { ComparisonState, ComparisonStatus } from '../../../compare/index.js';
import type { Side, SignalEnvelope } from '../../../probe/index.js';
import type { EdgeEnv } from '../edge-env.js';
import { objectOf } from '../placement.js';
import type { WireResult } from '../wire-faults.js';

/** The six public methods return values and throw, as callers of a Durable Object expect. `store` is for our Worker. */
export interface EnvPairRpc {
  /** Also queues the job that runs the comparison. Repeating it with the same id returns the same comparison. */
  createComparison(
    leftUrl: string,
    rightUrl: string,
    comparisonId?: string,
  ): Promise<{ readonly comparisonId: string; readonly status: ComparisonStatus }>;
  saveProbe(comparisonId: string, side: Side, envelope: SignalEnvelope): Promise<void>;
  saveResult(comparisonId: string, result: unknown): Promise<void>;
  failComparison(comparisonId: string, error: string): Promise<void>;
  /** A comparison that does not exist yet is `running`. */
  getComparison(comparisonId: string): Promise<ComparisonState>;
  getComparisonsForHistory(limit?: number): Promise<ComparisonState[]>;
  /** Calls a method of the comparison store's port. Coded errors are returned as data. */
  store(method: string, args: readonly unknown[]): Promise<WireResult<unknown>>;
}

export function envPairOf(env: EdgeEnv, pairKey: string): EnvPairRpc {
  return objectOf(env, 'ENVPAIR_DO', pairKey);
}
