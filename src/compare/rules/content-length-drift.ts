/** Another size of the decoded body, against its size and against how much it varies by itself. */

import type { Side } from '../../probe/index.js';
import { sameStatusClass } from '../json-facts.js';
import { median } from '../rank-sum.js';
import type { Rule, RuleContext } from '../rule.js';

const WARN_SHARE = 0.25;
const CRITICAL_SHARE = 0.6;
/** Smaller differences come from host names and ids in the text. */
const WARN_BYTES = 256;

export const contentLengthDrift: Rule = {
  code: 'CONTENT_LENGTH_DRIFT',
  version: 1,
  title: 'Another size',
  about:
    'The decoded bodies differ in size by more than they vary between samples: more than 25 % is a warning, more than 60 % or an empty body critical, less is information. Never more than information where the status class differs too.',
  recommendation: 'Look at the findings about structure and JSON shape for what is missing.',
  inputs: ['body'],
  claims: ['content-length'],
  sampled: true,
  compare(left, right, context) {
    if (left.envelope.body?.truncated || right.envelope.body?.truncated) return [];
    const sizes = { left: sizesOf(context, 'left'), right: sizesOf(context, 'right') };
    const [a, b] = [median(sizes.left), median(sizes.right)];
    const delta = Math.abs(a - b);
    if (delta === 0 || delta <= Math.max(spread(sizes.left), spread(sizes.right))) return [];
    const share = delta / Math.max(a, b);
    const empty = a === 0 || b === 0;
    const severity =
      !sameStatusClass(left, right) || (delta < WARN_BYTES && !empty)
        ? 'info'
        : empty || share > CRITICAL_SHARE
          ? 'critical'
          : share > WARN_SHARE
            ? 'warn'
            : 'info';
    return [
      {
        section: 'content',
        key: 'content-length',
        left: a,
        right: b,
        severity,
        direction: a > b ? 'right_weaker' : 'left_weaker',
        message: `The body has ${a} bytes on the left and ${b} on the right`,
        note: `${Math.round(share * 100)} % apart`,
        kind: empty ? 'empty' : severity,
      },
    ];
  },
};

function sizesOf({ samples }: RuleContext, side: Side): readonly number[] {
  const sizes: number[] = [];
  for (const { envelope } of samples[side]) {
    if (envelope.body && !envelope.body.error) sizes.push(envelope.body.bytes);
  }
  return sizes;
}

function spread(sizes: readonly number[]): number {
  return sizes.length === 0 ? 0 : Math.max(...sizes) - Math.min(...sizes);
}
