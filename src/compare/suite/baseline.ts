/**
 * Accepted findings, in a file that is kept with the code. An entry accepts exactly what was observed: this code on
 * this path with these values, at this severity or below, until it expires. If matched by route, an entry accepts the
 * same kind of difference on every path of the route. A finding counts again if it got worse, if it changed, or if its
 * entry expired. "Today" is the day on which the envelopes were captured, so that the same input gives the same result.
 */
import * as z from 'zod';
import { SondeError } from '../../errors.js';
import type { EnvDiff, Notice } from '../env-diff.js';
import { byCodeUnit } from '../fields/code-unit-order.js';
import type { Finding } from '../finding.js';
import { FINDING_CODES, type FindingCode } from '../finding-codes.js';
import { pathOf, routeTemplate } from '../fingerprint.js';
import { judgeDiff } from '../judge-diff.js';
import { counts } from '../judge-verdict.js';
import { compareSeverity, SEVERITIES } from '../severity.js';

export const BASELINE_ENTRIES_MAX = 10_000;

const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const fingerprint = z.string().regex(/^[0-9a-f]{32}$/);

const entrySchema = z.strictObject({
  /** Hash of the path and the values. */
  fingerprint,
  /** Hash of the route and the kind of difference. */
  routeFingerprint: fingerprint,
  code: z.string().refine((code) => Object.hasOwn(FINDING_CODES, code), 'is not a finding code'),
  severity: z.enum(SEVERITIES),
  path: z.string().max(8192),
  message: z.string().max(2000).optional(),
  reason: z.string().max(2000).optional(),
  /** The last day on which the entry counts. */
  expires: z.string().regex(DAY).optional(),
});

const baselineSchema = z.strictObject({
  version: z.literal(2),
  entries: z.array(entrySchema).max(BASELINE_ENTRIES_MAX),
});

export type Baseline = z.infer<typeof baselineSchema>;
export type BaselineEntry = Baseline['entries'][number];
export type BaselineBy = 'path' | 'route';

export function readBaseline(value: unknown): Baseline {
  if (value !== null && typeof value === 'object' && 'version' in value && value.version === 1) {
    throw invalid('baseline version 1 is no longer supported; recreate the file with --write-baseline');
  }
  const parsed = baselineSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.map(String).join('.') ?? '';
  throw invalid(`the baseline is not valid at ${field || 'its root'}: ${issue?.message}`, field);
}

function invalid(message: string, field = 'version'): SondeError {
  return new SondeError('INVALID_REQUEST', message, { details: { field: `baseline.${field}` } });
}

export interface BaselineContext {
  /** `YYYY-MM-DD`. */
  readonly today: string;
  /** The URL of either side that was compared; only its path matters. */
  readonly url: string;
  /** `path` by default. */
  readonly by?: BaselineBy;
}

/** The diff with accepted findings marked as known and entries that no longer occur added, judged again. */
export function applyBaseline(
  diff: EnvDiff,
  baseline: Baseline,
  { today, url, by = 'path' }: BaselineContext,
): EnvDiff {
  const keyOf = (finding: Finding) => (by === 'path' ? finding.valueFingerprint : finding.fingerprint);
  const entryKey = (entry: BaselineEntry) => (by === 'path' ? entry.fingerprint : entry.routeFingerprint);
  const entries = new Map(baseline.entries.map((entry) => [entryKey(entry), entry]));
  const expired: string[] = [];
  const findings = diff.findings.map((finding): Finding => {
    const entry = entries.get(keyOf(finding));
    if (!entry || !counts(finding) || compareSeverity(finding.severity, entry.severity) > 0) return finding;
    if (entry.expires !== undefined && entry.expires < today) {
      expired.push(finding.id);
      return finding;
    }
    return { ...finding, status: 'known' };
  });
  const present = new Set(diff.findings.map(keyOf));
  const resolved = baseline.entries.filter(
    (entry) => appliesTo(entry.path, url, by) && !present.has(entryKey(entry)),
  );
  const { maxSeverity: _, counts: __, verdict: ___, verdictReasons: ____, ...rest } = diff;
  return judgeDiff({
    ...rest,
    findings: [...findings, ...resolved.map(resolvedFinding)],
    notices: [...diff.notices, ...expiryNotice(expired)],
  });
}

function appliesTo(path: string, url: string, by: BaselineBy): boolean {
  return by === 'path' ? path === pathOf(url) : routeTemplate(path) === routeTemplate(url);
}

function expiryNotice(ids: readonly string[]): readonly Notice[] {
  if (ids.length === 0) return [];
  const message = `${ids.length} accepted ${ids.length === 1 ? 'finding counts' : 'findings count'} again: the baseline entry has expired.`;
  return [{ code: 'SUPPRESSION_EXPIRED', message, keys: [...ids].sort(byCodeUnit) }];
}

/** An entry that no longer occurs, so that the baseline can shrink. */
function resolvedFinding(entry: BaselineEntry): Finding {
  const code = entry.code as FindingCode;
  return {
    id: `${code}:resolved:${entry.fingerprint}`,
    code,
    category: FINDING_CODES[code],
    severity: 'info',
    direction: 'changed',
    effect: 'change',
    stability: 'stable',
    status: 'resolved',
    message: `In the baseline, but no longer found: ${entry.message ?? code}`,
    left_value: null,
    right_value: null,
    evidence: [],
    recommendations: ['Remove the entry from the baseline.'],
    fingerprint: entry.routeFingerprint,
    valueFingerprint: entry.fingerprint,
    ruleVersion: 1,
  };
}

/** A baseline that accepts every warning and critical finding that counts now, until `expires`. */
export function baselineOf(
  diffs: readonly { readonly url: string; readonly diff: EnvDiff }[],
  options: { readonly expires?: string; readonly reason?: string } = {},
): Baseline {
  const entries = new Map<string, BaselineEntry>();
  for (const { url, diff } of diffs) {
    for (const finding of diff.findings) {
      // Information never fails a run, and a failed measurement is not a difference to accept.
      if (finding.severity === 'info' || finding.category === 'reliability') continue;
      if (!counts(finding) && finding.status !== 'known') continue;
      const { valueFingerprint, fingerprint: routeFingerprint, code, severity, message } = finding;
      entries.set(valueFingerprint, {
        fingerprint: valueFingerprint,
        routeFingerprint,
        code,
        severity,
        path: pathOf(url),
        message: message.slice(0, 2000),
        ...options,
      });
    }
  }
  const sorted = [...entries.values()].sort(
    (a, b) =>
      byCodeUnit(a.path, b.path) || byCodeUnit(a.code, b.code) || byCodeUnit(a.fingerprint, b.fingerprint),
  );
  return readBaseline({ version: 2, entries: sorted });
}
