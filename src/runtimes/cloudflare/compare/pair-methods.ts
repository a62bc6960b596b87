import type { ComparisonState, ComparisonStatus } from '../../../compare/index.js';
import type { Side, SignalEnvelope } from '../../../probe/index.js';

/** The public methods of a pair's object. They return values and throw, as callers of a Durable Object expect. */
export interface PairMethods {
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
}
