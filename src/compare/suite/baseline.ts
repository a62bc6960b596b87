/**
 * Accepted findings, in a file that is kept with the code: each by its fingerprint, with the severity it was
 * accepted at and the day on which the acceptance ends. A finding that got worse, or whose entry is over, counts
 * again. "Today" is the day on which the envelopes were captured, so that the same input gives the same answer.
 */
import * as z from 'zod';
import { SondeError } from '../../errors.js';
import type { EnvDiff, Notice } from '../env-diff.js';
import { byCodeUnit } from '../fields/code-unit-order.js';
import { compareSeverity, type Finding } from '../finding.js';
import { FINDING_CODES, type FindingCode } from '../finding-codes.js';
import { judgeDiff } from '../judge-diff.js';
import { counts } from '../judge-verdict.js';

export const BASELINE_ENTRIES_MAX = 10_000;

const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

const entrySchema = z.strictObject({
  fingerprint: z.string().regex(/^[0-9a-f]{32}$/),
  code: z.string().refine((code) => Object.hasOwn(FINDING_CODES, code), 'is no finding code'),
  severity: z.enum(['info', 'warn', 'critical']),
  /** For people; the fingerprint decides. */
  route: z.string().max(2000),
  message: z.string().max(2000).optional(),
  reason: z.string().max(2000).optional(),
  /** The last day on which the entry counts. */
  expires: z.string().regex(DAY).optional(),
});

const baselineSchema = z.strictObject({
  version: z.literal(1),
  entries: z.array(entrySchema).max(BASELINE_ENTRIES_MAX),
});

export type Baseline = z.infer<typeof baselineSchema>;
export type BaselineEntry = Baseline['entries'][number];

export function readBaseline(value: unknown): Baseline {
  const parsed = baselineSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.map(String).join('.') ?? '';
  throw new SondeError(
    'INVALID_REQUEST',
    `the baseline is not valid at ${field || 'its root'}: ${issue?.message}`,
    {
      details: { field: `baseline.${field}` },
    },
  );
}

export interface BaselineFacts {
  /** `YYYY-MM-DD`. */
  readonly today: string;
  readonly route: string;
}

/** The diff with accepted findings marked as known, and judged again. */
export function applyBaseline(diff: EnvDiff, baseline: Baseline, { today, route }: BaselineFacts): EnvDiff {
  const entries = new Map(baseline.entries.map((entry) => [entry.fingerprint, entry]));
  const expired: string[] = [];
  const findings = diff.findings.map((finding): Finding => {
    const entry = entries.get(finding.fingerprint);
    if (!entry || !counts(finding) || compareSeverity(finding.severity, entry.severity) > 0) return finding;
    if (entry.expires !== undefined && entry.expires < today) {
      expired.push(finding.id);
      return finding;
    }
    return { ...finding, status: 'known' };
  });
  const present = new Set(diff.findings.map(({ fingerprint }) => fingerprint));
  const resolved = baseline.entries.filter(
    (entry) => entry.route === route && !present.has(entry.fingerprint),
  );
  const { maxSeverity: _, counts: __, verdict: ___, verdictReasons: ____, ...rest } = diff;
  return judgeDiff({
    ...rest,
    findings: [...findings, ...resolved.map(resolvedFinding)],
    notices: [...diff.notices, ...expiryNotice(expired)],
  });
}

function expiryNotice(ids: readonly string[]): readonly Notice[] {
  if (ids.length === 0) return [];
  const message = `${ids.length} accepted findings count again: their entry in the baseline is over.`;
  return [{ code: 'SUPPRESSION_EXPIRED', message, keys: [...ids].sort(byCodeUnit) }];
}

/** An entry that no longer occurs: worth saying, so that the baseline can shrink. */
function resolvedFinding(entry: BaselineEntry): Finding {
  const code = entry.code as FindingCode;
  return {
    id: `${code}:resolved:${entry.fingerprint}`,
    code,
    category: FINDING_CODES[code],
    severity: 'info',
    direction: 'changed',
    stability: 'stable',
    status: 'resolved',
    message: `Accepted before, no longer there: ${entry.message ?? code}`,
    left_value: null,
    right_value: null,
    evidence: [],
    recommendations: ['Remove the entry from the baseline.'],
    fingerprint: entry.fingerprint,
    ruleVersion: 1,
  };
}

/** A baseline that accepts everything that counts now, until `expires`. */
export function baselineOf(
  diffs: readonly { readonly route: string; readonly diff: EnvDiff }[],
  options: { readonly expires?: string; readonly reason?: string } = {},
): Baseline {
  const entries = new Map<string, BaselineEntry>();
  for (const { route, diff } of diffs) {
    for (const finding of diff.findings) {
      if (!counts(finding) && finding.status !== 'known') continue;
      const { fingerprint, code, severity, message } = finding;
      entries.set(fingerprint, { fingerprint, code, severity, route, message, ...options });
    }
  }
  const sorted = [...entries.values()].sort((a, b) => byCodeUnit(a.fingerprint, b.fingerprint));
  return readBaseline({ version: 1, entries: sorted });
}
