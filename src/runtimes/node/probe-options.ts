/** What an operator may say about comparisons, and the part of it that a probe client takes. */
import type { OutboundOptions } from './net.js';
import type { ProbeClientOptions } from './probe.js';

export interface CompareBounds {
  /** Of one look at a side. */
  readonly probeMs: number;
  readonly redirectsMax: number;
  /** Newest comparisons of a pair. */
  readonly kept: number;
}

export function probeOptions(net: OutboundOptions = {}, compare?: CompareBounds): ProbeClientOptions {
  return { ...net, ...(compare && { totalMs: compare.probeMs, redirectsMax: compare.redirectsMax }) };
}
