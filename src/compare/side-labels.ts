/** Names the sides in messages: the caller's labels, else their hosts, else their roles. */
import type { Side } from '../probe/index.js';
import { tryUrl } from '../try-url.js';
import { otherSide } from './rule.js';

export type SideLabels = Readonly<Record<Side, string>>;

const LABEL_CHARS_MAX = 100;

export function sideLabels(
  urls: Readonly<Record<Side, string>>,
  {
    given = {},
    candidate = 'left',
  }: { readonly given?: Partial<SideLabels> | undefined; readonly candidate?: Side },
): SideLabels {
  const hosts = { left: tryUrl(urls.left)?.host ?? '', right: tryUrl(urls.right)?.host ?? '' };
  const hasHostNames = hosts.left !== '' && hosts.right !== '' && hosts.left !== hosts.right;
  const label = (side: Side) =>
    (given[side] || (hasHostNames ? hosts[side] : side === candidate ? 'candidate' : 'reference')).slice(
      0,
      LABEL_CHARS_MAX,
    );
  const labels = { left: label('left'), right: label('right') };
  if (labels.left !== labels.right) return labels;
  const other = otherSide(candidate);
  return {
    ...labels,
    [candidate]: `${labels[candidate]} (candidate)`,
    [other]: `${labels[other]} (reference)`,
  };
}
