/** Bodies that differ, by a hash of the text without hosts, ids and times. A hash cannot show where they differ. */
import { sameDocument } from '../json-facts.js';
import { NAME, type Rule } from '../rule.js';
import type { SampleView } from '../sample-view.js';

export const bodyHashDrift: Rule = {
  code: 'BODY_HASH_DRIFT',
  version: 4,
  title: 'The body differs',
  about:
    "The bodies differ even without the sides' own hosts and volatile values, and no other finding explains how. Info for JSON, HTML and text, whose content other rules compare, and if the status differs too; a warning for binary bodies, which no other rule reads. Never critical.",
  recommendation: 'Fetch both and compare them; for assets, check that both sides run the same build.',
  inputs: ['body'],
  compare(left, right) {
    const [a, b] = hashesOf(left, right);
    if (a === undefined || b === undefined || a === b || sameDocument(left, right)) return undefined;
    const kinds = [left.envelope.body?.kind, right.envelope.body?.kind] as const;
    const parsed =
      kinds.some((kind) => kind === 'json' || kind === 'html' || kind === 'text') || kinds[0] !== kinds[1];
    const sameStatus = left.response?.status === right.response?.status;
    return {
      section: 'content',
      key: 'body-hash',
      left: a,
      right: b,
      severity: parsed || !sameStatus ? 'info' : 'warn',
      direction: 'changed',
      message: messageFor(kinds),
    };
  },
};

type Kinds = readonly [string | undefined, string | undefined];

function messageFor([a = 'unknown', b = 'unknown']: Kinds): string {
  if (a !== b) return `The body is ${a} on ${NAME.left} and ${b} on ${NAME.right}`;
  if (a === 'html') return 'The HTML differs outside its text, headings, metadata and assets';
  return `The ${a === 'json' ? 'JSON' : a} bodies differ`;
}

/** Of the normalized text if both sides have it, else of the bytes: hashes of two kinds cannot be compared. */
function hashesOf(left: SampleView, right: SampleView): readonly (string | undefined)[] {
  const views = [left, right];
  const normalized = views.map(({ envelope }) => envelope.body?.normalizedSha256);
  if (!normalized.includes(undefined)) return normalized;
  return views.map(({ envelope, response }) => envelope.body?.sha256 ?? response?.bodyHash);
}
