/** The same media type in another character encoding. */
import { essenceOf } from '../fields/media-type.js';
import { presence, type Rule } from '../rule.js';

export const charsetDrift: Rule = {
  code: 'CHARSET_DRIFT',
  version: 1,
  title: 'Another charset',
  about:
    'The same media type with another charset, or with one on one side only. A warning; information for JSON, which is UTF-8 whatever is said.',
  recommendation: 'Send `charset=utf-8` with every text type, from the same place on both sides.',
  inputs: ['headers.core'],
  claims: ['content-type'],
  compare(left, right) {
    const a = left.mediaType;
    const b = right.mediaType;
    if (!a || !b || essenceOf(a) !== essenceOf(b) || a.charset === b.charset) return [];
    return [
      {
        section: 'content',
        key: 'charset',
        left: a.charset ?? null,
        right: b.charset ?? null,
        severity: /(^|\+)json$/.test(a.subtype) ? 'info' : 'warn',
        direction: presence(a.charset, b.charset),
        message: `The charset is ${a.charset ?? 'absent'} on the left and ${b.charset ?? 'absent'} on the right`,
      },
    ];
  },
};
