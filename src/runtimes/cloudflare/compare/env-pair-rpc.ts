/** The RPC interface of a pair's object: its six public methods, and the store's port unchanged. */
import type { ComparisonState, ComparisonStatus } from '../../../compare/index.js';
import type { Side, SignalEnvelope } from '../../../probe/index.js';
import type { EdgeEnv } from '../edge-env.js';
import { objectOf } from '../placement.js';
import type { WireResult } from '../wire-faults.js';

/** The six methods return their values and throw, as a caller of a Durable Object expects; `store` is for our own Worker. */
export interface EnvPairRpc {
  /** Also queues the job that runs the comparison. A repeat under the same id is the same comparison. */
  createComparison(
    leftUrl: string,
    rightUrl: string,
    comparisonId?: string,
  ): Promise<{ readonly comparisonId: string; readonly status: ComparisonStatus }>;
  saveProbe(comparisonId: string, side: Side, envelope: SignalEnvelope): Promise<void>;
  saveResult(comparisonId: string, result: unknown): Promise<void>;
  failComparison(comparisonId: string, error: string): Promise<void>;
  /** A comparison that is not there yet is `running`. */
  getComparison(comparisonId: string): Promise<ComparisonState>;
  getComparisonsForHistory(limit?: number): Promise<ComparisonState[]>;
  /** A method of the comparison store's port. Coded errors travel as data. */
  store(method: string, args: readonly unknown[]): Promise<WireResult<unknown>>;
}

export function envPairOf(env: EdgeEnv, pairKey: string): EnvPairRpc {
  return objectOf(env, 'ENVPAIR_DO', pairKey);
}
