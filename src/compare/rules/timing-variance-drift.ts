/** The response times of one side vary much more. */
import { durationsOf, roundToTenths } from '../diff-sections.js';
import { median, quantile, SHIFT_SAMPLES_MIN } from '../rank-sum.js';
import { NAME, otherSide, type Rule, weakerSide } from '../rule.js';

const RATIO = 2;
const SPREAD_MIN_MS = 100;

export const timingVarianceDrift: Rule = {
  code: 'TIMING_VARIANCE_DRIFT',
  version: 2,
  title: 'Response times vary more',
  about:
    'With five or more samples per side, the 95th percentile lies twice as far above the median as on the other side, and at least 100 ms above it. Information: a single slow sample is enough, and that may be chance.',
  recommendation:
    'Look for cold starts, garbage collection, a slow instance or a cache with occasional hits.',
  inputs: ['timing'],
  sampled: true,
  measured: true,
  compare(_left, _right, { samples }) {
    const times = { left: durationsOf(samples.left), right: durationsOf(samples.right) };
    if (times.left.length < SHIFT_SAMPLES_MIN || times.right.length < SHIFT_SAMPLES_MIN) return undefined;
    const ratios = { left: spreadRatio(times.left), right: spreadRatio(times.right) };
    const weaker = ratios.left > ratios.right ? 'left' : 'right';
    const spreadMs = quantile(times[weaker], 0.95) - median(times[weaker]);
    if (ratios[weaker] < RATIO * ratios[otherSide(weaker)] || spreadMs < SPREAD_MIN_MS) return undefined;
    return {
      section: 'timing',
      key: 'p95_to_p50',
      left: roundToTenths(ratios.left),
      right: roundToTenths(ratios.right),
      severity: 'info',
      direction: weakerSide(weaker),
      message: `Response times of ${NAME[weaker]} vary more: p95 is ${roundToTenths(ratios[weaker])} times the median`,
      note: `${times.left.length} and ${times.right.length} samples`,
    };
  },
};

function spreadRatio(times: readonly number[]): number {
  const middle = median(times);
  return middle <= 0 ? 1 : quantile(times, 0.95) / middle;
}
