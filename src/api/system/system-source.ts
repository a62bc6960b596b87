/** Figures that a host reports about itself. All are optional: a host leaves out what its platform does not provide. */
import type { QueueOverview } from '../../jobs/index.js';
import type { MinutePoint } from './minute-points.js';

export interface SystemFigures {
  readonly queue?: QueueOverview;
  /** Proxied responses that are still arriving. */
  readonly responsesRunning?: number;
  readonly liveReaders?: number;
  /** Refusals of the egress policy since the start, by rule. */
  readonly refusals?: Readonly<Record<string, number>>;
  readonly storage?: { readonly freeBytes: number; readonly totalBytes: number };
  readonly points?: readonly MinutePoint[];
}

export interface SystemSource {
  readonly engine: 'embedded' | 'cluster' | 'edge';
  readonly runtime: string;
  /** Milliseconds since the epoch; absent on platforms without a long-lived process. */
  readonly startedAt?: number;
  figures(): Promise<SystemFigures>;
}
