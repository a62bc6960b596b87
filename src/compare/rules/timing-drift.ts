/** One side takes longer, over all samples. */
import { durationsOf } from '../diff-sections.js';
import { type Rule, type RuleContext, weakerSide } from '../rule.js';
import { judgeTiming, type TimingJudgement } from '../timing-shift.js';

export const timingDrift: Rule = {
  code: 'TIMING_DRIFT',
  version: 1,
  title: 'One side is slower',
  about:
    'The median time to the response differs by at least 20 % and 50 ms. With five or more samples a side and an exact rank-sum interval that excludes zero: a warning, and critical from 2.5 times or one second on. With fewer samples never more than information.',
  recommendation:
    'Repeat with more samples (--samples 10); then look at the phases to see where the time goes.',
  inputs: ['timing'],
  claims: [],
  sampled: true,
  compare(_left, _right, context) {
    const judged = judgeDurations(context);
    if (!judged) return [];
    return [
      {
        section: 'timing',
        key: 'duration_ms',
        left: judged.left,
        right: judged.right,
        severity: judged.severity,
        direction: weakerSide(judged.slower),
        message: `The ${judged.slower} side is slower: ${judged.left} ms and ${judged.right} ms (medians)`,
        note: judged.note,
      },
    ];
  },
};

export function judgeDurations({ samples }: RuleContext): TimingJudgement | undefined {
  return judgeTiming(durationsOf(samples.left), durationsOf(samples.right));
}
