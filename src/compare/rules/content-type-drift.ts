/** A different media type, or a download instead of a page. Parameters of the type are covered by CHARSET_DRIFT. */
import { essenceOf } from '../fields/media-type.js';
import { bothValues, type Difference, NAME, type Rule, weakerWithout } from '../rule.js';
import type { SampleView } from '../sample-view.js';

export const contentTypeDrift: Rule = {
  code: 'CONTENT_TYPE_DRIFT',
  version: 3,
  title: 'The media type differs',
  about:
    'The media type differs: critical if the type differs (text/html and application/json), a warning if only the subtype differs or one side sends none. Content-Disposition makes it a download on one side only: a warning.',
  recommendation: 'Look for an error page, a fallback route or a missing type mapping.',
  inputs: ['headers.core'],
  claims: ['content-type', 'content-disposition'],
  compare(left, right) {
    const a = essence(left);
    const b = essence(right);
    if (a === b) return downloadDifference(left, right);
    const types = [left.mediaType?.type, right.mediaType?.type] as const;
    const critical = types[0] !== undefined && types[1] !== undefined && family(left) !== family(right);
    return {
      section: 'content',
      key: 'content-type',
      left: left.text('content-type'),
      right: right.text('content-type'),
      severity: critical ? 'critical' : 'warn',
      direction: weakerWithout(a, b),
      message: bothValues('The media type', a ?? null, b ?? null),
      kind: `${a ?? ''} ${b ?? ''}`,
    };
  },
};

function downloadDifference(left: SampleView, right: SampleView): Difference | undefined {
  const isDownload = (view: SampleView) => /^\s*attachment\b/i.test(view.text('content-disposition') ?? '');
  if (isDownload(left) === isDownload(right)) return undefined;
  const side = isDownload(left) ? 'left' : 'right';
  return {
    section: 'content',
    key: 'content-disposition',
    left: left.text('content-disposition'),
    right: right.text('content-disposition'),
    severity: 'warn',
    direction: 'changed',
    message: `Only ${NAME[side]} sends the response as a download`,
  };
}

function essence(view: SampleView): string | undefined {
  return view.mediaType
    ? essenceOf(view.mediaType)
    : (view.text('content-type')?.trim().toLowerCase() ?? undefined);
}

/** JavaScript and XML have equivalent names under two types. */
function family({ mediaType }: SampleView): string | undefined {
  if (!mediaType) return undefined;
  const { type, subtype } = mediaType;
  if (/^(x-)?javascript$|^ecmascript$/.test(subtype)) return 'javascript';
  if (subtype === 'xml' && type !== 'image') return 'xml';
  return type;
}
