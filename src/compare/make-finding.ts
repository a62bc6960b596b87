/**
 * Differences of one rule → one finding. Severity, direction and fingerprint come from what counts: parts that
 * are noise or ignored stay in the evidence, marked, and decide nothing while anything else is there.
 */

import type { Mutable } from '../mutable.js';
import {
  compareSeverity,
  type Evidence,
  type Finding,
  type FindingValue,
  type Severity,
  type Stability,
} from './finding.js';
import { FINDING_CODES } from './finding-codes.js';
import { fingerprintOf, type TextHash } from './fingerprint.js';
import type { Difference, Rule } from './rule.js';

/** Pieces of evidence one finding shows, characters one value shows, members of a list. */
export const EVIDENCE_MAX = 50;
export const VALUE_CHARS_MAX = 500;
const LIST_ITEMS_MAX = 50;

interface Judged {
  readonly difference: Difference;
  readonly noisy: boolean;
  readonly ignored: boolean;
}

interface FindingFacts {
  readonly rule: Rule;
  readonly verified: boolean;
  readonly route: string;
  readonly hash?: TextHash | undefined;
  readonly truncated: string[];
}

export function makeFinding(
  group: readonly Judged[],
  { rule, verified, route, hash, truncated }: FindingFacts,
): Finding {
  const certain = kept(group, isCertain);
  const open = kept(certain, isOpen);
  const told = open.length > 0 ? open : certain.length > 0 ? certain : group;
  const counted = told.map(({ difference }) => difference);
  const worst = counted.reduce((a, b) => (compareSeverity(b.severity, a.severity) > 0 ? b : a));
  const agreed = counted.every(({ direction }) => direction === worst.direction);
  const direction = agreed ? worst.direction : 'changed';
  const id = idOf(rule, group, worst);
  if (group.length > EVIDENCE_MAX) truncated.push(id);
  const stability: Stability = certain.length === 0 ? 'noisy' : verified ? 'stable' : 'unverified';
  const text = counted.length > 1 && rule.grouped ? rule.grouped(counted.length) : worst.message;
  const severity: Severity = stability === 'noisy' ? 'info' : worst.severity;
  return {
    id,
    code: rule.code,
    category: FINDING_CODES[rule.code],
    severity,
    direction,
    stability,
    status: open.length === 0 && certain.length > 0 ? 'suppressed' : 'new',
    message: stability === 'noisy' ? `${text} (it already differs between samples of one side)` : text,
    left_value: shown(worst.left),
    right_value: shown(worst.right),
    evidence: (group.length > EVIDENCE_MAX ? group.slice(0, EVIDENCE_MAX) : group).map(evidenceOf),
    recommendations: [rule.recommendation],
    fingerprint: fingerprintOf({ code: rule.code, route, direction, parts: counted }, hash),
    ruleVersion: rule.version,
  };
}

const isCertain = ({ noisy }: Judged) => !noisy;
const isOpen = ({ ignored }: Judged) => !ignored;

/** The group itself where all of it stays, which is nearly always. */
function kept(group: readonly Judged[], keep: (one: Judged) => boolean): readonly Judged[] {
  return group.every(keep) ? group : group.filter(keep);
}

function idOf(rule: Rule, group: readonly Judged[], { section, key }: Difference): string {
  const named = key === '' || (rule.grouped && group.length > 1);
  return named ? `${rule.code}:${section}` : `${rule.code}:${section}:${key}`;
}

function evidenceOf({ difference, noisy, ignored }: Judged): Evidence {
  const { section, key, left, right, note } = difference;
  const keys = key === '' ? [] : [key];
  const evidence: Mutable<Evidence> = { section, keys, left: shown(left), right: shown(right) };
  if (note !== undefined) evidence.note = note;
  if (noisy) evidence.noisy = true;
  if (ignored) evidence.ignored = true;
  return evidence;
}

/** Values stay short: evidence is for reading, and the envelope has the whole. */
function shown(value: FindingValue): FindingValue {
  if (typeof value === 'string') {
    return value.length > VALUE_CHARS_MAX ? `${value.slice(0, VALUE_CHARS_MAX)}…` : value;
  }
  if (value === null || typeof value !== 'object') return value;
  if (value.length <= LIST_ITEMS_MAX) return value.map((item) => String(shown(item)));
  const items = value.slice(0, LIST_ITEMS_MAX).map((item) => String(shown(item)));
  return [...items, `… ${value.length - LIST_ITEMS_MAX} more`];
}
