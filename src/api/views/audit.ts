/** Audits in the API: the OpenAPI schema, and the mapping from stored audits. */
import * as z from 'zod';
import type { Audit } from '../../audits/index.js';
import { JOB_STATUSES } from '../../jobs/index.js';
import { iso, isoOrNull, time } from './time.js';

const OptionsView = z
  .looseObject({
    pages: z.int().optional(),
    depth: z.int().optional(),
    concurrency: z.int().optional(),
    delayMs: z.int().optional(),
    checks: z.int().optional(),
    links: z.enum(['internal', 'all']).optional(),
  })
  .describe('Options of the audit, with defaults.')
  .meta({ id: 'AuditOptions' });

export const AuditView = z
  .object({
    auditId: z.uuid(),
    jobId: z.uuid(),
    url: z.string(),
    canonicalUrl: z.string(),
    options: OptionsView,
    recipeVersion: z.string().describe('Version of the rules and weights.'),
    status: z.enum(JOB_STATUSES),
    progress: z.int().min(0).max(100).nullable().describe('Percent. It never decreases.'),
    score: z.int().min(0).max(100).nullable(),
    lastError: z.string().nullable().describe('Why the last attempt failed, redacted.'),
    createdAt: time,
    finishedAt: time.nullable(),
  })
  .meta({ id: 'Audit' });
export type AuditView = z.infer<typeof AuditView>;

export function auditView(audit: Audit, redact: (value: unknown) => unknown): z.input<typeof AuditView> {
  return {
    auditId: audit.auditId,
    jobId: audit.jobId,
    url: String(redact(audit.url)),
    canonicalUrl: String(redact(audit.canonicalUrl)),
    options: audit.options as z.input<typeof OptionsView>,
    recipeVersion: audit.recipeVersion,
    status: audit.status,
    progress: audit.progressPct,
    score: audit.score,
    lastError: audit.lastError,
    createdAt: iso(audit.createdAt),
    finishedAt: isoOrNull(audit.finishedAt),
  };
}
