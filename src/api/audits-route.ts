/**
 * `/api/audits`: create (202), list, show, report, cancel, difference. What another tenant has is not found. A
 * report comes as JSON, HTML, Markdown or CSV, by `?format=` or by `Accept`.
 */
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import {
  type AuditReport,
  type AuditRow,
  completeOptions,
  diffReports,
  renderCsv,
  renderHtml,
  renderMarkdown,
} from '../audits/index.js';
import { SondeError } from '../errors.js';
import type { App, AppContext, AppDeps } from './app-env.js';
import type { AuditsPort } from './audits-port.js';
import { Audit, AuditCreate, AuditId, AuditList, auditView } from './audits-schemas.js';
import { demandScope } from './auth/require-scope.js';
import { errorAnswers } from './error-answers.js';

const KNOWN_FAULTS = [
  'MISSING_SECRET',
  'INVALID_SECRET',
  'FORBIDDEN',
  'RATE_LIMITED',
  'INVALID_REQUEST',
] as const;
const security = [{ bearer: [] }, { session: [] }];
const tags = ['Audits'];
const json = <S extends z.ZodType>(description: string, schema: S) => ({
  description,
  content: { 'application/json': { schema } },
});

const create = createRoute({
  ...{ method: 'post', path: '/api/audits', operationId: 'createAudit', tags, security },
  summary: 'Audit a site',
  description:
    'Answers at once; the audit runs as a job. The same work while one is queued or running gives that audit back.',
  request: { body: { required: true, content: { 'application/json': { schema: AuditCreate } } } },
  responses: {
    200: json('The same work was asked for before; `Idempotent-Replayed: true`.', Audit),
    202: json('The audit is queued; `Location` is where it can be followed.', Audit),
    ...errorAnswers(
      ...KNOWN_FAULTS,
      'invalid_url',
      'ssrf_blocked',
      'BODY_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
    ),
  },
});

const list = createRoute({
  ...{ method: 'get', path: '/api/audits', operationId: 'listAudits', tags, security },
  summary: "The tenant's audits, the newest first",
  request: {
    query: z.object({
      limit: z.coerce.number().int().min(1).max(100).default(20),
      before: z.string().max(200).optional(),
    }),
  },
  responses: { 200: json('A page of audits.', AuditList), ...errorAnswers(...KNOWN_FAULTS) },
});

const show = createRoute({
  ...{ method: 'get', path: '/api/audits/{id}', operationId: 'getAudit', tags, security },
  summary: 'One audit',
  request: { params: AuditId },
  responses: { 200: json('The audit.', Audit), ...errorAnswers(...KNOWN_FAULTS, 'NOT_FOUND') },
});

const cancel = createRoute({
  ...{ method: 'post', path: '/api/audits/{id}/cancel', operationId: 'cancelAudit', tags, security },
  summary: 'Stop an audit',
  request: { params: AuditId },
  responses: {
    202: json('It was told to stop, or had ended.', Audit),
    ...errorAnswers(...KNOWN_FAULTS, 'NOT_FOUND'),
  },
});

const FORMATS = ['json', 'html', 'md', 'csv'] as const;
type Format = (typeof FORMATS)[number];

const TYPES: Readonly<Record<Format, string>> = {
  json: 'application/json; charset=UTF-8',
  html: 'text/html; charset=UTF-8',
  md: 'text/markdown; charset=UTF-8',
  csv: 'text/csv; charset=UTF-8; header=present',
};

const report = createRoute({
  ...{ method: 'get', path: '/api/audits/{id}/report', operationId: 'getAuditReport', tags, security },
  summary: 'The report of an audit that is done',
  request: { params: AuditId, query: z.object({ format: z.enum(FORMATS).optional() }) },
  responses: {
    200: {
      description: 'The report, in the format that was asked for.',
      content: {
        'application/json': { schema: z.object({}).openapi('AuditReport') },
        'text/html': { schema: z.string() },
        'text/markdown': { schema: z.string() },
        'text/csv': { schema: z.string() },
      },
    },
    ...errorAnswers(...KNOWN_FAULTS, 'NOT_FOUND', 'REPORT_NOT_READY'),
  },
});

const diff = createRoute({
  ...{ method: 'get', path: '/api/audits/{id}/diff/{other}', operationId: 'diffAudits', tags, security },
  summary: 'What is new, fixed and still there in another audit',
  description: '`id` is the earlier audit, `other` the later one.',
  request: { params: AuditId.extend({ other: z.string().min(1).max(128) }) },
  responses: {
    200: json('The difference, finding by finding.', z.object({}).openapi('AuditDiff')),
    ...errorAnswers(...KNOWN_FAULTS, 'NOT_FOUND', 'REPORT_NOT_READY'),
  },
});

export function addAudits(app: App, { audits }: AppDeps): void {
  if (!audits) return;
  addCollection(app, audits);
  app.openapi(show, async (c) => c.json(auditView(await found(c, audits, c.req.valid('param').id)), 200));
  app.openapi(cancel, async (c) => {
    const { tenant } = demandScope(c, 'audit:write');
    const audit = await audits.cancel(tenant, c.req.valid('param').id);
    if (!audit) throw notFound();
    return c.json(auditView(audit), 202);
  });
  app.openapi(report, async (c) => {
    const whole = await reportOf(c, audits, c.req.valid('param').id);
    return answerReport(c, whole, c.req.valid('query').format ?? preferred(c.req.header('accept') ?? ''));
  });
  app.openapi(diff, async (c) => {
    const { id, other } = c.req.valid('param');
    const [before, after] = await Promise.all([reportOf(c, audits, id), reportOf(c, audits, other)]);
    return c.json(diffReports(before, after), 200);
  });
}

function addCollection(app: App, audits: AuditsPort): void {
  app.openapi(create, async (c) => {
    const { tenant } = demandScope(c, 'audit:write');
    const { url, reuse, ...options } = c.req.valid('json');
    const idempotencyKey = c.req.header('idempotency-key');
    const { audit, replayed } = await audits.enqueue({
      ...{ tenant, url, options: completeOptions(options), reuseSeconds: reuse },
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    });
    c.header('Location', `${c.var.outward.base}/api/audits/${encodeURIComponent(audit.id)}`);
    if (replayed) c.header('Idempotent-Replayed', 'true');
    return c.json(auditView(audit), replayed ? 200 : 202);
  });
  app.openapi(list, async (c) => {
    const { tenant } = demandScope(c, 'audit:read');
    const { limit, before } = c.req.valid('query');
    const cursor = before === undefined ? undefined : readCursor(before);
    const rows = await audits.store.listAudits(await audits.tenantId(tenant), {
      limit,
      ...(cursor && { before: cursor }),
    });
    const last = rows.length === limit ? rows.at(-1) : undefined;
    return c.json({ audits: rows.map(auditView), next: last ? `${last.createdAt}.${last.id}` : null }, 200);
  });
}

async function found(c: AppContext, audits: AuditsPort, id: string): Promise<AuditRow> {
  const { tenant } = demandScope(c, 'audit:read');
  const audit = await audits.store.getAudit(await audits.tenantId(tenant), id);
  if (!audit) throw notFound();
  return audit;
}

async function reportOf(c: AppContext, audits: AuditsPort, id: string): Promise<AuditReport> {
  const audit = await found(c, audits, id);
  if (audit.reportRef === null) {
    throw new SondeError('REPORT_NOT_READY', `The audit is ${audit.status}; it has no report.`, {
      details: { status: audit.status },
    });
  }
  return (await audits.store.recordOf(id).get(audit.reportRef)) as AuditReport;
}

/** A report is a page of its own: its style is inside, and nothing else may be loaded or run. */
function answerReport(c: AppContext, whole: AuditReport, format: Format): Response {
  const render: Readonly<Record<Format, () => string>> = {
    json: () => JSON.stringify(whole),
    html: () => renderHtml(whole),
    md: () => renderMarkdown(whole),
    csv: () => renderCsv(whole),
  };
  const headers: Record<string, string> = { 'Content-Type': TYPES[format], Vary: 'Accept' };
  if (format === 'html')
    headers['Content-Security-Policy'] =
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";
  if (format === 'csv') headers['Content-Disposition'] = 'attachment; filename="issues.csv"';
  return c.body(render[format](), 200, headers);
}

function preferred(accept: string): Format {
  const wanted = accept.split(',').map((each) => each.split(';', 1)[0]?.trim().toLowerCase());
  return FORMATS.find((format) => wanted.includes(TYPES[format].split(';', 1)[0])) ?? 'json';
}

function readCursor(text: string): { createdAt: number; id: string } {
  const [, createdAt, id = ''] = /^(\d{1,15})\.(.+)$/.exec(text) ?? [];
  if (createdAt === undefined)
    throw new SondeError('INVALID_REQUEST', '`before` is the `next` of an earlier page.');
  return { createdAt: Number(createdAt), id };
}

function notFound(): SondeError {
  return new SondeError('NOT_FOUND', 'There is no such audit.');
}
