/** Shapes of the audit routes. */
import * as z from 'zod';
import { AUDIT_DEFAULTS, AUDIT_RANGES, type AuditRow, ownerProof } from '../audits/index.js';

const bounded = (name: keyof typeof AUDIT_RANGES, about: string) =>
  z
    .int()
    .min(AUDIT_RANGES[name].min)
    .max(AUDIT_RANGES[name].max)
    .default(AUDIT_DEFAULTS[name])
    .describe(about);

export const AuditCreate = z
  .strictObject({
    url: z.string().min(1).max(8192).describe('Where the audit starts.'),
    pages: bounded('pages', 'Pages that are fetched at most.'),
    depth: bounded('depth', 'Clicks from the start that are followed at most.'),
    concurrency: bounded('concurrency', 'Requests to one host at once.'),
    delayMs: bounded('delayMs', 'Between two requests to one host; a Crawl-delay may make it longer.'),
    checks: bounded('checks', 'Assets and links that are only asked for with HEAD.'),
    reuse: z
      .int()
      .min(0)
      .max(86_400)
      .default(0)
      .describe('Give back a finished audit that is not older, in seconds.'),
  })
  .openapi('AuditCreate');

export const Audit = z
  .object({
    id: z.string(),
    url: z.string(),
    status: z.enum(['queued', 'running', 'done', 'failed', 'canceled']),
    score: z.int().nullable(),
    recipeVersion: z.string(),
    createdAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().nullable(),
    ownerProof: z
      .object({ token: z.string(), url: z.string(), record: z.string() })
      .describe(
        'Put the token at this URL, or this record into DNS, and audits of the site also look for leaks.',
      ),
  })
  .openapi('Audit');

export const AuditList = z
  .object({
    audits: z.array(Audit),
    next: z.string().nullable().describe('Give it as `before` for the next page.'),
  })
  .openapi('AuditList');

export const AuditId = z.object({ id: z.string().min(1).max(128) });

export function auditView(row: AuditRow): z.infer<typeof Audit> {
  const { id, tenantId, url, status, score, recipeVersion, createdAt, finishedAt } = row;
  return {
    ...{ id, url, status, score, recipeVersion },
    createdAt: new Date(createdAt).toISOString(),
    finishedAt: finishedAt === null ? null : new Date(finishedAt).toISOString(),
    ownerProof: ownerProof(tenantId, url),
  };
}
