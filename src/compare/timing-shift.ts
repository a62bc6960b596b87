/**
 * Judges how much two sets of durations differ. With fewer than five samples per side it is never more than
 * information. With more, the exact rank-sum interval decides, and only if the shift is large enough for people to
 * notice.
 */
import type { Side } from '../probe/index.js';
import { roundToTenths } from './diff-sections.js';
import { median, rankSumShift, SHIFT_SAMPLES_MIN } from './rank-sum.js';
import type { Severity } from './severity.js';

const SHARE_MIN = 0.2;
const SHIFT_MIN_MS = 50;
const CRITICAL_RATIO = 2.5;
const CRITICAL_MS = 1000;
/** The interval must lie beyond this: on a busy machine, equal sides differ by a few milliseconds. */
const CERTAIN_MS = 10;

export interface TimingJudgement {
  readonly severity: Severity;
  readonly slower: Side;
  readonly left: number;
  readonly right: number;
  readonly note: string;
}

export function judgeTiming(left: readonly number[], right: readonly number[]): TimingJudgement | undefined {
  if (left.length === 0 || right.length === 0) return undefined;
  const [a, b] = [roundToTenths(median(left)), roundToTenths(median(right))];
  const delta = Math.abs(b - a);
  if (delta < SHIFT_MIN_MS || delta < SHARE_MIN * Math.min(a, b)) return undefined;
  const medians = { slower: b > a ? ('right' as const) : ('left' as const), left: a, right: b };
  const shift = rankSumShift(left, right);
  if (!shift) {
    const note = `${left.length} and ${right.length} samples; ${SHIFT_SAMPLES_MIN} per side are needed for certainty`;
    return { ...medians, severity: 'info', note };
  }
  if (shift.low <= CERTAIN_MS && shift.high >= -CERTAIN_MS) return undefined;
  const large = delta >= CRITICAL_MS || Math.max(a, b) >= CRITICAL_RATIO * Math.min(a, b);
  const note = `shift ${roundToTenths(shift.estimate)} ms, 99 % interval ${roundToTenths(shift.low)} to ${roundToTenths(shift.high)} ms, ${left.length} and ${right.length} samples`;
  return { ...medians, severity: large ? 'critical' : 'warn', note };
}
