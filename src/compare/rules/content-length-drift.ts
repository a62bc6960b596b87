/** The size of the decoded body, relative to the other side and to how much it varies between samples. */
import type { Side } from '../../probe/index.js';
import { sameDocument, sameStatusClass } from '../json-facts.js';
import { showsSameText } from '../page-text.js';
import { median } from '../rank-sum.js';
import { NAME, type Rule, type RuleContext, weakerBelow } from '../rule.js';
import type { SampleView } from '../sample-view.js';

const WARN_SHARE = 0.25;
const CRITICAL_SHARE = 0.6;
/** Smaller differences come from ids in the text. */
const WARN_BYTES = 256;

export const contentLengthDrift: Rule = {
  code: 'CONTENT_LENGTH_DRIFT',
  version: 3,
  title: 'Content length differs',
  about:
    "The decoded body of the candidate is smaller by more than the sizes vary between samples: more than 25 % is a warning, more than 60 % or an empty body critical, less is info. A larger body is info. Text is measured without the sides' own hosts and volatile values. Never more than info if the status class differs too or a page shows the same text on both sides, and not shown if another finding of the same severity explains it.",
  recommendation: 'Fetch both bodies and compare them.',
  inputs: ['body'],
  claims: ['content-length'],
  sampled: true,
  measured: true,
  compare(left, right, context) {
    if (left.envelope.body?.truncated || right.envelope.body?.truncated) return undefined;
    const sizes = { left: sizesOf(context, 'left'), right: sizesOf(context, 'right') };
    const [a, b] = typicalSizes(sizes, {
      left: isSometimesEmpty(left, context),
      right: isSometimesEmpty(right, context),
    });
    const delta = Math.abs(a - b);
    if (delta === 0) return undefined;
    const share = delta / Math.max(a, b);
    const empty = a === 0 || b === 0;
    if (!empty && sameDocument(left, right)) return undefined;
    const judged = sameStatusClass(left, right) && (delta >= WARN_BYTES || empty) && !samePage(left, right);
    const severity = !judged
      ? 'info'
      : empty || share > CRITICAL_SHARE
        ? 'critical'
        : share > WARN_SHARE
          ? 'warn'
          : 'info';
    return {
      section: 'content',
      key: 'content-length',
      left: a,
      right: b,
      severity,
      direction: weakerBelow(a, b),
      message: `The body has ${a} bytes on ${NAME.left} and ${b} on ${NAME.right}`,
      note: `${Math.round(share * 100)} % apart`,
      kind: empty ? 'empty' : severity,
    };
  },
};

/** Markup that differs only in blanks and comments is the same page. */
function samePage(left: SampleView, right: SampleView): boolean {
  const kinds = [left.envelope.body?.kind, right.envelope.body?.kind];
  return kinds.every((kind) => kind === 'html') && showsSameText(left, right);
}

/** Without own hosts, so that a longer host name does not count as a longer body. */
function sizesOf({ samples }: RuleContext, side: Side): readonly number[] {
  return samples[side]
    .map(({ envelope: { body } }) => (body?.error ? undefined : (body?.normalizedChars ?? body?.bytes)))
    .filter((size) => size !== undefined);
}

/**
 * The median of each side, if they lie further apart than either side's sizes do. If only one side varies, its smallest
 * body against the steady one: a body that is sometimes empty is not noise.
 */
function typicalSizes(
  sizes: Readonly<Record<Side, readonly number[]>>,
  empty: Readonly<Record<Side, boolean>>,
): readonly [number, number] {
  const [a, b] = [median(sizes.left), median(sizes.right)];
  const spreads = { left: spread(sizes.left), right: spread(sizes.right) };
  if (Math.abs(a - b) > Math.max(spreads.left, spreads.right)) return [a, b];
  if (spreads.left === 0 && empty.right) return [a, 0];
  return spreads.right === 0 && empty.left ? [0, b] : [0, 0];
}

/** Without responses of another status class, which need not have a body. */
function isSometimesEmpty(view: SampleView, { samples }: RuleContext): boolean {
  return samples[view.side].some(
    (sample) =>
      sample.envelope.body?.bytes === 0 && !sample.envelope.body.error && sameStatusClass(sample, view),
  );
}

function spread(sizes: readonly number[]): number {
  return sizes.length === 0 ? 0 : Math.max(...sizes) - Math.min(...sizes);
}
