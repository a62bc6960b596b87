/** The RPC interface of a pair's object: its six public methods, and the store's port unchanged. */
import type { ComparisonState, ComparisonStatus } from '../../../compare/index.js';
import type { Side, SignalEnvelope } from '../../../probe/index.js';
import type { EdgeEnv } from '../edge-env.js';
import type { WireResult } from '../wire-faults.js';

export interface EnvPairRpc {
  createComparison(
    leftUrl: string,
    rightUrl: string,
    comparisonId?: string,
  ): Promise<WireResult<{ readonly comparisonId: string; readonly status: ComparisonStatus }>>;
  saveProbe(comparisonId: string, side: Side, envelope: SignalEnvelope): Promise<WireResult<void>>;
  saveResult(comparisonId: string, result: unknown): Promise<WireResult<void>>;
  failComparison(comparisonId: string, error: string): Promise<WireResult<void>>;
  getComparison(comparisonId: string): Promise<WireResult<ComparisonState>>;
  getComparisonsForHistory(limit?: number): Promise<WireResult<ComparisonState[]>>;
  /** A method of the comparison store's port. */
  store(method: string, args: readonly unknown[]): Promise<WireResult<unknown>>;
}

export function envPairOf({ ENVPAIR_DO }: Pick<EdgeEnv, 'ENVPAIR_DO'>, pairKey: string): EnvPairRpc {
  // As for streams: the class implements the interface.
  return ENVPAIR_DO.get(ENVPAIR_DO.idFromName(pairKey)) as unknown as EnvPairRpc;
}
