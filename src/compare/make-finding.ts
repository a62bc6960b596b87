/**
 * Combines the differences of one rule into one finding. Severity, direction and fingerprint come from the parts that
 * count. Noisy and ignored parts stay in the evidence, marked, and decide nothing unless there are no others.
 */
import type { Mutable } from '../mutable.js';
import type { Side } from '../probe/index.js';
import { withoutNonces } from './fields/content-security-policy.js';
import type { Direction, Effect, Evidence, Finding, FindingValue, Occurrence, Stability } from './finding.js';
import { FINDING_CODES } from './finding-codes.js';
import {
  fingerprintOf,
  portableTextHash,
  type TextHash,
  valueClass,
  valueFingerprintOf,
} from './fingerprint.js';
import type { OriginMap } from './origin-map.js';
import { type Difference, type Rule, withLabels } from './rule.js';
import { compareSeverity, type Severity } from './severity.js';

/** Limits of what is shown: evidence per finding, characters per value, items per list. */
export const EVIDENCE_MAX = 50;
export const VALUE_CHARS_MAX = 500;
const LIST_ITEMS_MAX = 50;

/** What all findings of one comparison share. */
export interface FindingScope {
  readonly route: string;
  readonly path: string;
  readonly candidate: Side;
  readonly labels: Readonly<Record<Side, string>>;
  readonly origins?: OriginMap;
  readonly hash?: TextHash | undefined;
  /** Collects the ids of findings that do not show all of their evidence. */
  readonly truncated: string[];
}

export interface JudgedDifference {
  readonly difference: Difference;
  readonly noisy: boolean;
  readonly ignored: boolean;
  /** One side varies in it from request to request. */
  readonly varies?: true;
  /** How many of the candidate's samples have it, if not all. */
  readonly occurrence?: Occurrence;
}

export interface RuleOutcome {
  readonly rule: Rule;
  readonly verified: boolean;
}

export function makeFinding(
  given: readonly JudgedDifference[],
  { rule, verified }: RuleOutcome,
  scope: FindingScope,
): Finding {
  const group = given.map((one) => ({
    ...one,
    difference: judgedFor(one.difference, rule, scope.candidate),
  }));
  const certain = group.filter(({ noisy }) => !noisy);
  const open = certain.filter(({ ignored }) => !ignored);
  const deciding = open.length > 0 ? open : certain.length > 0 ? certain : group;
  const counted = deciding.map(({ difference }) => difference);
  const worst = counted.reduce((a, b) => (compareSeverity(b.severity, a.severity) > 0 ? b : a));
  const direction = counted.every((one) => one.direction === worst.direction) ? worst.direction : 'changed';
  const id = idOf(rule, group, worst);
  if (group.length > EVIDENCE_MAX) scope.truncated.push(id);
  const occurrence = certain.length > 0 ? occurrenceOf(deciding) : undefined;
  const stability: Stability = stabilityOf({ certain: certain.length > 0, occurrence, verified });
  const text = counted.length > 1 && rule.grouped ? rule.grouped(counted.length, worst) : worst.message;
  const message = withLabels(occurrence ? `${text}, ${occurrenceText(occurrence)}` : text, scope.labels);
  const finding: Mutable<Finding> = {
    id,
    code: rule.code,
    category: FINDING_CODES[rule.code],
    severity: stability === 'noisy' ? 'info' : worst.severity,
    direction,
    effect: effectOf(worst.direction, rule, scope.candidate),
    stability,
    status: deciding.every(({ ignored }) => ignored) ? 'suppressed' : 'new',
    message: stability === 'noisy' ? `${message} (it already differs between samples of one side)` : message,
    left_value: shorten(worst.left),
    right_value: shorten(worst.right),
    evidence: group.slice(0, EVIDENCE_MAX).map((one) => evidenceOf(one, scope)),
    recommendations: [rule.recommendation],
    ...fingerprintsOf(rule, { direction, parts: counted }, scope),
    ruleVersion: rule.version,
  };
  if (occurrence) finding.occurrence = occurrence;
  const excerpt = counted.flatMap((one) => one.excerpt ?? []).slice(0, EXCERPT_LINES_MAX);
  if (excerpt.length > 0) finding.excerpt = excerpt;
  return finding;
}

const EXCERPT_LINES_MAX = 6;

/** If one of the parts is in every sample, so is the finding; otherwise the most frequent part counts. */
function occurrenceOf(parts: readonly JudgedDifference[]): Occurrence | undefined {
  let most: Occurrence | undefined;
  for (const { occurrence } of parts) {
    if (!occurrence) return undefined;
    if (!most || occurrence.samples > most.samples) most = occurrence;
  }
  return most;
}

function occurrenceText({ samples, of }: Occurrence): string {
  return `in ${samples} of ${of} samples`;
}

interface Certainty {
  readonly certain: boolean;
  readonly occurrence: Occurrence | undefined;
  readonly verified: boolean;
}

function stabilityOf({ certain, occurrence, verified }: Certainty): Stability {
  if (!certain) return 'noisy';
  if (occurrence) return 'intermittent';
  return verified ? 'stable' : 'unverified';
}

function weakerOf(direction: Direction): Side | undefined {
  if (direction === 'left_weaker') return 'left';
  return direction === 'right_weaker' ? 'right' : undefined;
}

/** A fault of the reference alone is information, never a reason to fail. */
export function severityFor(difference: Difference, { bothSidesCount }: Rule, candidate: Side): Severity {
  const weaker = weakerOf(difference.direction);
  return weaker === undefined || weaker === candidate || bothSidesCount ? difference.severity : 'info';
}

function judgedFor(difference: Difference, rule: Rule, candidate: Side): Difference {
  const severity = severityFor(difference, rule, candidate);
  return severity === difference.severity ? difference : { ...difference, severity };
}

function effectOf(direction: Direction, { bothSidesCount }: Rule, candidate: Side): Effect {
  const weaker = weakerOf(direction);
  if (weaker === undefined) return 'change';
  if (weaker === candidate) return 'regression';
  return bothSidesCount ? 'change' : 'improvement';
}

function fingerprintsOf(
  { code, measured }: Rule,
  finding: { readonly direction: Direction; readonly parts: readonly Difference[] },
  { route, path, origins, hash = portableTextHash }: FindingScope,
) {
  const mapped = (value: FindingValue, side: Side) => {
    const text = value === null ? 'absent' : withoutNonces(JSON.stringify(value));
    return origins ? origins.mapText(text, side) : text;
  };
  return {
    fingerprint: fingerprintOf({ code, place: route, ...finding }, hash),
    valueFingerprint: valueFingerprintOf(
      { code, place: path, ...finding },
      hash,
      measured ? valueClass : mapped,
    ),
  };
}

function idOf(rule: Rule, group: readonly JudgedDifference[], { section, key }: Difference): string {
  const several = key === '' || (rule.grouped && group.length > 1);
  return several ? `${rule.code}:${section}` : `${rule.code}:${section}:${key}`;
}

function evidenceOf(
  { difference, noisy, ignored, occurrence }: JudgedDifference,
  { labels }: FindingScope,
): Evidence {
  const { section, key, left, right, note } = difference;
  const keys = key === '' ? [] : [key];
  const evidence: Mutable<Evidence> = { section, keys, left: shorten(left), right: shorten(right) };
  if (note !== undefined) evidence.note = withLabels(note, labels);
  if (occurrence) {
    const text = occurrenceText(occurrence);
    evidence.note = evidence.note === undefined ? text : `${evidence.note}, ${text}`;
  }
  if (noisy) evidence.noisy = true;
  if (ignored) evidence.ignored = true;
  return evidence;
}

/** Shortens a value, because evidence is for reading and the envelope has the full value. */
function shorten(value: FindingValue): FindingValue {
  if (typeof value === 'string') {
    return value.length > VALUE_CHARS_MAX ? `${value.slice(0, VALUE_CHARS_MAX)}…` : value;
  }
  if (value === null || typeof value !== 'object') return value;
  const items = value.slice(0, LIST_ITEMS_MAX).map((item) => String(shorten(item)));
  return value.length > LIST_ITEMS_MAX ? [...items, `… ${value.length - LIST_ITEMS_MAX} more`] : items;
}
