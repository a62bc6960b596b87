/** The same media type with a different charset. */
import { essenceOf } from '../fields/media-type.js';
import { bothValues, type Rule, weakerBelow } from '../rule.js';

export const charsetDrift: Rule = {
  code: 'CHARSET_DRIFT',
  version: 2,
  title: 'The charset differs',
  about:
    'The media type is the same but the charset differs or is given on one side only. A warning if the candidate has none, or one other than UTF-8; info for JSON, which is always UTF-8.',
  recommendation: 'Send `charset=utf-8` with every text type on both sides.',
  inputs: ['headers.core'],
  claims: ['content-type'],
  compare(left, right) {
    const a = left.mediaType;
    const b = right.mediaType;
    if (!a || !b || essenceOf(a) !== essenceOf(b) || a.charset === b.charset) return undefined;
    return {
      section: 'content',
      key: 'charset',
      left: a.charset ?? null,
      right: b.charset ?? null,
      severity: /(^|\+)json$/.test(a.subtype) ? 'info' : 'warn',
      direction: weakerBelow(rankOf(a.charset), rankOf(b.charset)),
      message: bothValues('The charset', a.charset ?? null, b.charset ?? null),
    };
  },
};

function rankOf(charset: string | undefined): number {
  if (charset === undefined) return 0;
  return /^utf-?8$/i.test(charset) ? 2 : 1;
}
