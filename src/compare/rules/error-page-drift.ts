/** An error page on one side only, regardless of its status. */
import type { BodyMarker } from '../../probe/index.js';
import { oneSidedDifferences } from '../differences.js';
import { NAME, type Rule, weakerSide } from '../rule.js';
import type { SampleView } from '../sample-view.js';

const ERRORS: ReadonlySet<BodyMarker['type']> = new Set(['framework-error', 'maintenance', 'default-page']);

const SOFT_404 = 'soft 404';

export const errorPageDrift: Rule = {
  code: 'ERROR_PAGE_DRIFT',
  version: 2,
  title: 'A page shows an error',
  about: `One side shows a framework's error page, a maintenance or default page, or a "not found" text with status 200. Warning.`,
  recommendation: 'Open the page on that side, and return an error status for errors.',
  inputs: ['body.content'],
  compare(left, right) {
    return oneSidedDifferences(marksOf(left), marksOf(right), (mark, side) => ({
      section: 'body',
      severity: 'warn',
      direction: weakerSide(side),
      message: `${NAME[side]} shows an error page: ${mark.startsWith(SOFT_404) ? mark : markerText(mark)}`,
    }));
  },
};

function marksOf(view: SampleView): readonly string[] {
  const markers = view.envelope.body?.markers;
  if (!markers || markers.length === 0) return [];
  const fine = (view.response?.status ?? 0) < 400;
  return markers
    .filter(({ type }) => ERRORS.has(type) || (type === 'not-found-text' && fine))
    .map(({ type, name }) => (type === 'not-found-text' ? `${SOFT_404} (${name})` : `${type} ${name}`));
}

/** `stack-trace python` as "stack trace (python)". */
export function markerText(mark: string): string {
  const [type = '', name = ''] = mark.split(' ');
  return `${type.replaceAll('-', ' ')} (${name})`;
}
