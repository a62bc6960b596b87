/** An operator's options for comparisons, and those that a probe client takes. */
import type { OutboundOptions } from './net.js';
import type { ProbeClientOptions } from './probe.js';

export interface CompareBounds {
  /** Time limit of one probe. */
  readonly probeMs: number;
  readonly redirectsMax: number;
  /** Newest comparisons of a pair. */
  readonly kept: number;
  /** How long comparisons and suites are kept. */
  readonly retentionMs: number;
}

export function probeOptions(net: OutboundOptions = {}, compare?: CompareBounds): ProbeClientOptions {
  return { ...net, ...(compare && { totalMs: compare.probeMs, redirectsMax: compare.redirectsMax }) };
}
