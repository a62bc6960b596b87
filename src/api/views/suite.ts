/** Suites in the API: progress, the outcome of each path, and findings about the suite itself. */
import * as z from 'zod';
import { verdictSchema } from '../../compare/env-diff.js';
import { findingSchema } from '../../compare/finding.js';
import type { SuitePathRow, SuiteRow, Verdict } from '../../compare/index.js';
import { exactOptional as opt } from '../../exact-optional.js';
import { FailureView, OptionsView, readError, readOptions } from './comparison.js';
import { iso, time } from './time.js';

/** Of a path; `failed` if it could not be compared. */
const PathVerdict = z.enum([...verdictSchema.options, 'failed']);

export const SuiteView = z
  .object({
    suiteId: z.string(),
    leftUrl: z.string(),
    rightUrl: z.string(),
    options: OptionsView,
    createdAt: time,
    status: z.enum(['running', 'completed', 'failed']),
    verdict: verdictSchema
      .nullable()
      .describe('The worst verdict of its paths and its own findings; null until it has completed.'),
    paths: z.int(),
    done: z.int(),
    verdicts: z.partialRecord(PathVerdict, z.int()),
    findings: z
      .array(findingSchema)
      .describe('Findings about the suite itself, such as differing route sets.'),
    notes: z.array(z.string()),
    error: opt(FailureView),
  })
  .meta({ id: 'Suite' });

const SuitePathView = z
  .object({
    n: z.int(),
    path: z.string(),
    comparisonId: z.string(),
    verdict: PathVerdict.nullable(),
    findings: z.int().nullable(),
  })
  .meta({ id: 'SuitePath' });

export const SuitePage = SuiteView.and(z.object({ rows: z.array(SuitePathView) })).meta({
  id: 'SuiteWithPaths',
});
export type SuitePage = z.infer<typeof SuitePage>;

/** The response to the request that creates a suite. */
export const NewSuite = z.object({ suiteId: z.string() }).meta({ id: 'NewSuite' });
export type NewSuite = z.infer<typeof NewSuite>;

export function suiteView(row: SuiteRow): z.input<typeof SuiteView> {
  const findings = parseList<z.infer<typeof findingSchema>>(row.findingsJson);
  return {
    suiteId: row.suiteId,
    leftUrl: row.leftUrl,
    rightUrl: row.rightUrl,
    options: readOptions(row.optionsJson),
    createdAt: iso(row.ts),
    status: row.status,
    verdict: row.status === 'completed' ? verdictOf(row, findings) : null,
    paths: row.paths,
    done: row.done,
    verdicts: row.verdicts,
    findings,
    notes: parseList<string>(row.notesJson),
    ...(row.error !== null && { error: readError(row.error) }),
  };
}

function parseList<T>(json: string | null): T[] {
  return JSON.parse(json ?? '[]') as T[];
}

/** A certain failure outweighs an unclear result, which outweighs a warning of a path or of the suite itself. */
function verdictOf({ verdicts }: SuiteRow, findings: readonly unknown[]): Verdict {
  if (verdicts.fail) return 'fail';
  if (verdicts.inconclusive || verdicts.failed) return 'inconclusive';
  const hasWarning = (findings as readonly { severity?: string }[]).some(
    ({ severity }) => severity !== 'info',
  );
  return verdicts.warn || hasWarning ? 'warn' : 'pass';
}

export function suitePathView({
  n,
  path,
  comparisonId,
  outcome,
}: SuitePathRow): z.input<typeof SuitePathView> {
  return { n, path, comparisonId, verdict: outcome?.verdict ?? null, findings: outcome?.findings ?? null };
}
