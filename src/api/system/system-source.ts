/** Figures that a host reports about itself. Every figure is optional: a platform that does not give one leaves it out. */
import type { QueueOverview } from '../../jobs/index.js';
import type { MinutePoint } from './minute-points.js';

export interface SystemFigures {
  readonly queue?: QueueOverview;
  /** Proxied responses that are coming in. */
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
  /** Milliseconds since the epoch; absent where a request has no process of its own. */
  readonly startedAt?: number;
  figures(): Promise<SystemFigures>;
}
