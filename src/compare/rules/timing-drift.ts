/** One side responds more slowly, over all samples. */
import { durationsOf } from '../diff-sections.js';
import { NAME, type Rule, weakerSide } from '../rule.js';
import { judgeTiming } from '../timing-shift.js';

export const timingDrift: Rule = {
  code: 'TIMING_DRIFT',
  version: 2,
  title: 'Responses are slower',
  about:
    'The median time to the response differs by at least 20 % and 50 ms. With at least five samples per side and an exact 99 % rank-sum interval above 10 ms: a warning, or critical from 2.5 times or one second. With fewer samples never more than info.',
  recommendation:
    'Repeat with more samples (--samples 10), then check the phases to see where the time goes.',
  inputs: ['timing'],
  sampled: true,
  measured: true,
  compare(_left, _right, { samples }) {
    const judged = judgeTiming(durationsOf(samples.left), durationsOf(samples.right));
    if (!judged) return undefined;
    const { slower, ...values } = judged;
    return {
      section: 'timing',
      key: 'duration_ms',
      ...values,
      direction: weakerSide(slower),
      message: `${NAME[slower]} is slower: ${values.left} ms on ${NAME.left} and ${values.right} ms on ${NAME.right} (medians)`,
    };
  },
};
