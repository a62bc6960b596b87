/** What an operator may say about comparisons, and the part of it that a probe's door takes. */
import type { DoorOptions } from './net.js';
import type { ProbeDoorOptions } from './probe.js';

export interface CompareBounds {
  /** Of one look at a side. */
  readonly probeMs: number;
  readonly redirectsMax: number;
  /** Newest comparisons of a pair. */
  readonly kept: number;
}

export function probeOptions(net: DoorOptions = {}, compare?: CompareBounds): ProbeDoorOptions {
  return { ...net, ...(compare && { totalMs: compare.probeMs, redirectsMax: compare.redirectsMax }) };
}
