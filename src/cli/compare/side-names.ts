/** The names of the sides: `--label-left` and `--label-right`, or else their hosts. */
import { type SideLabels, sideLabels } from '../../compare/index.js';
import type { Side } from '../../probe/index.js';

export interface LabelOptions {
  readonly labelLeft?: string;
  readonly labelRight?: string;
  readonly candidate: Side;
}

export function labelsFor(
  urls: Readonly<Record<Side, string>>,
  { labelLeft, labelRight, candidate }: LabelOptions,
): SideLabels {
  const given = { ...(labelLeft && { left: labelLeft }), ...(labelRight && { right: labelRight }) };
  return sideLabels(urls, { given, candidate });
}
