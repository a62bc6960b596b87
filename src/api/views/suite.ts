/** Suites as the API shows them: how far they are, what their paths came to, and findings of the suite itself. */
import '@hono/zod-openapi';
import * as z from 'zod';
import type { SuitePathRow, SuiteRow, Verdict } from '../../compare/index.js';
import { readError } from './comparison.js';

const VERDICTS = ['pass', 'warn', 'fail', 'inconclusive', 'failed'] as const;

export const SuiteView = z
  .object({
    suiteId: z.string(),
    leftUrl: z.string(),
    rightUrl: z.string(),
    createdAt: z.iso.datetime(),
    status: z.enum(['running', 'completed', 'failed']),
    verdict: z
      .enum(['pass', 'warn', 'fail', 'inconclusive'])
      .nullable()
      .describe('The worst of its paths and of its own findings; null until it has ended.'),
    paths: z.int(),
    done: z.int(),
    verdicts: z.partialRecord(z.enum(VERDICTS), z.int()),
    findings: z.array(z.unknown()),
    notes: z.array(z.string()),
    error: z.unknown().optional(),
  })
  .openapi('Suite');

export const SuitePathView = z
  .object({
    n: z.int(),
    path: z.string(),
    comparisonId: z.string(),
    verdict: z.enum(VERDICTS).nullable(),
    findings: z.int().nullable(),
  })
  .openapi('SuitePath');

export function suiteView(row: SuiteRow): z.input<typeof SuiteView> {
  const findings = listIn(row.findingsJson);
  return {
    suiteId: row.suiteId,
    leftUrl: row.leftUrl,
    rightUrl: row.rightUrl,
    createdAt: new Date(row.ts).toISOString(),
    status: row.status,
    verdict: row.status === 'completed' ? verdictOf(row, findings) : null,
    paths: row.paths,
    done: row.done,
    verdicts: row.verdicts,
    findings,
    notes: listIn(row.notesJson) as string[],
    ...(row.error !== null && { error: readError(row.error) }),
  };
}

function listIn(json: string | null): unknown[] {
  return JSON.parse(json ?? '[]') as unknown[];
}

/** A certain failure outweighs what is unclear, which outweighs a warning of a path or of the suite itself. */
function verdictOf({ verdicts }: SuiteRow, findings: readonly unknown[]): Verdict {
  if (verdicts.fail) return 'fail';
  if (verdicts.inconclusive || verdicts.failed) return 'inconclusive';
  const warns = (findings as readonly { severity?: string }[]).some(({ severity }) => severity !== 'info');
  return verdicts.warn || warns ? 'warn' : 'pass';
}

export function suitePathView({
  n,
  path,
  comparisonId,
  outcome,
}: SuitePathRow): z.input<typeof SuitePathView> {
  return { n, path, comparisonId, verdict: outcome?.verdict ?? null, findings: outcome?.findings ?? null };
}
