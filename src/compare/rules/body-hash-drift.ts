/** Another body, told by a hash over its text without hosts, ids and times. Never critical: a hash says not what. */
import type { Rule } from '../rule.js';
import type { SampleView } from '../sample-view.js';

export const bodyHashDrift: Rule = {
  code: 'BODY_HASH_DRIFT',
  version: 1,
  title: 'Another body',
  about:
    'The bodies differ, with own hosts and whatever is volatile by its form left out. Information for JSON and HTML, whose structure other findings compare, and where the status differs; a warning for text and binary bodies, of which nothing else is known. Never critical.',
  recommendation: 'Fetch both and compare them; for assets, check that both sides run the same build.',
  inputs: ['body'],
  claims: [],
  compare(left, right) {
    const a = hashOf(left);
    const b = hashOf(right);
    if (a === undefined || b === undefined || a === b) return [];
    const kinds = [left.envelope.body?.kind, right.envelope.body?.kind] as const;
    const parsed = kinds.some((kind) => kind === 'json' || kind === 'html') || kinds[0] !== kinds[1];
    const sameStatus = left.response?.status === right.response?.status;
    return [
      {
        section: 'content',
        key: 'body-hash',
        left: a,
        right: b,
        severity: parsed || !sameStatus ? 'info' : 'warn',
        direction: 'changed',
        message: `The bodies differ (${kinds[0] ?? 'unknown'} and ${kinds[1] ?? 'unknown'})`,
      },
    ];
  },
};

/** Equal raw hashes prove equality even where only one side could be normalised. */
function hashOf({ envelope, response }: SampleView): string | undefined {
  return envelope.body?.normalizedSha256 ?? envelope.body?.sha256 ?? response?.bodyHash;
}
