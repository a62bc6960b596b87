/**
 * `/api/audits`: audits of sites as durable jobs. The same work while it waits or runs is one audit: a repeat is
 * given that one back. Everything is a tenant's; what belongs to another is not found.
 */
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import {
  AUDIT_RANGES,
  type Audit,
  type AuditReport,
  completeOptions,
  diffReports,
  RECIPE_VERSION,
  renderCsv,
  renderHtml,
  renderMarkdown,
} from '../../audits/index.js';
import { SondeError } from '../../errors.js';
import { JOB_STATUSES, type Tenant } from '../../jobs/index.js';
import { canonicalUrl, idempotencyKey } from '../../net/index.js';
import { isUuid } from '../../uuid.js';
import type { App, AppContext, AppDeps } from '../app-env.js';
import { IDEMPOTENCY_ERRORS, idempotently } from '../middleware/idempotency.js';
import { absoluteUrl } from '../middleware/public-origin.js';
import { type AppRecords, RECORD_ERRORS, RECORD_SECURITY, refuseUrl, tenantWith } from '../records.js';
import { AuditView, auditView } from '../views/audit.js';
import { errorResponses } from '../views/error-responses.js';
import { eventsOperation, readEventsQuery } from '../views/events-operation.js';
import { answerJobEvents, jobFeed } from '../views/job-events.js';

const TAGS = ['Audits'];
const LIST_MAX = 200;
const REUSE_SECONDS_MAX = 30 * 86_400;

const AuditId = z.object({
  auditId: z
    .string()
    .min(1)
    .max(64)
    .openapi({ param: { name: 'auditId', in: 'path' } }),
});
const OneAudit = { description: 'The audit.', content: { 'application/json': { schema: AuditView } } };
const whole = ({ min, max }: { min: number; max: number }) => z.int().min(min).max(max).optional();

const AuditRequest = z
  .strictObject({
    url: z.string().min(1).max(2048),
    pages: whole(AUDIT_RANGES.pages).describe('Pages to fetch.'),
    depth: whole(AUDIT_RANGES.depth).describe('Clicks from the home page.'),
    concurrency: whole(AUDIT_RANGES.concurrency).describe('Requests to one host at once.'),
    delayMs: whole(AUDIT_RANGES.delayMs).describe('Between two requests to one host.'),
    checks: whole(AUDIT_RANGES.checks).describe('Links and files to look at besides.'),
    reuse: z
      .int()
      .min(0)
      .max(REUSE_SECONDS_MAX)
      .default(0)
      .describe('Seconds within which a finished audit of the same is given back.'),
  })
  .openapi('AuditRequest');

const create = createRoute({
  method: 'post',
  path: '/api/audits',
  operationId: 'createAudit',
  tags: TAGS,
  security: RECORD_SECURITY,
  summary: 'Audit a site',
  description:
    'Queued as a job. Works with `Idempotency-Key`; the same audit that waits or runs is given back with 200.',
  request: { body: { required: true, content: { 'application/json': { schema: AuditRequest } } } },
  responses: {
    200: { ...OneAudit, description: 'The same audit, which was there already.' },
    202: { ...OneAudit, description: 'Queued; `Location` says where to look.' },
    ...errorResponses(
      ...RECORD_ERRORS,
      ...IDEMPOTENCY_ERRORS,
      'INVALID_REQUEST',
      'invalid_url',
      'ssrf_blocked',
      'BODY_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
    ),
  },
});

const list = createRoute({
  method: 'get',
  path: '/api/audits',
  operationId: 'listAudits',
  tags: TAGS,
  security: RECORD_SECURITY,
  summary: 'Audits, youngest first',
  request: {
    query: z.object({
      status: z.enum(JOB_STATUSES).optional(),
      limit: z.coerce.number().int().min(1).max(LIST_MAX).default(50),
      cursor: z.string().max(64).optional().describe('`next` of the page before.'),
    }),
  },
  responses: {
    200: {
      description: 'A page.',
      content: {
        'application/json': {
          schema: z.object({ audits: z.array(AuditView), next: z.string().nullable() }).openapi('Audits'),
        },
      },
    },
    ...errorResponses(...RECORD_ERRORS, 'INVALID_REQUEST'),
  },
});

const show = createRoute({
  method: 'get',
  path: '/api/audits/{auditId}',
  operationId: 'getAudit',
  tags: TAGS,
  security: RECORD_SECURITY,
  summary: 'One audit',
  request: { params: AuditId },
  responses: { 200: OneAudit, ...errorResponses(...RECORD_ERRORS, 'AUDIT_NOT_FOUND') },
});

const cancel = createRoute({
  method: 'post',
  path: '/api/audits/{auditId}/cancel',
  operationId: 'cancelAudit',
  tags: TAGS,
  security: RECORD_SECURITY,
  summary: 'Cancel an audit: at once if it waits, else its worker is told',
  request: { params: AuditId },
  responses: { 200: OneAudit, ...errorResponses(...RECORD_ERRORS, 'AUDIT_NOT_FOUND', 'JOB_CONFLICT') },
});

const report = createRoute({
  method: 'get',
  path: '/api/audits/{auditId}/report',
  operationId: 'getAuditReport',
  tags: TAGS,
  security: RECORD_SECURITY,
  summary: 'The report of a finished audit',
  description: 'As JSON, HTML, Markdown or CSV: by `format`, else by `Accept`.',
  request: { params: AuditId, query: z.object({ format: z.enum(['json', 'html', 'md', 'csv']).optional() }) },
  responses: {
    200: {
      description: 'The report.',
      content: {
        'application/json': { schema: z.unknown() },
        'text/html': { schema: z.string() },
        'text/markdown': { schema: z.string() },
        'text/csv': { schema: z.string() },
      },
    },
    ...errorResponses(...RECORD_ERRORS, 'INVALID_REQUEST', 'AUDIT_NOT_FOUND', 'AUDIT_NOT_FINISHED'),
  },
});

const diff = createRoute({
  method: 'get',
  path: '/api/audits/{auditId}/diff/{other}',
  operationId: 'diffAudits',
  tags: TAGS,
  security: RECORD_SECURITY,
  summary: 'What changed from one audit to another: new, fixed, still there',
  request: {
    params: AuditId.extend({
      other: z
        .string()
        .min(1)
        .max(64)
        .openapi({ param: { name: 'other', in: 'path' } }),
    }),
  },
  responses: {
    200: {
      description: 'Findings by what became of them.',
      content: { 'application/json': { schema: z.unknown() } },
    },
    ...errorResponses(...RECORD_ERRORS, 'AUDIT_NOT_FOUND', 'AUDIT_NOT_FINISHED'),
  },
});

const events = eventsOperation({
  path: '/api/audits/{auditId}/events',
  operationId: 'getAuditEvents',
  tags: TAGS,
  summary: 'What an audit has told, as a page or live',
  params: AuditId,
  missing: 'AUDIT_NOT_FOUND',
});

export function addAudits(app: App, { records, stopping, sseMs }: AppDeps): void {
  if (!records) return;
  const view = (audit: Audit) => auditView(audit, records.redact);

  app.openapi(create, async (c) => {
    const tenant = await tenantWith(c, records, 'audit:write');
    const made = await idempotently(c, {
      records,
      tenant,
      run: (auditId) => createAudit(c, { records, tenant, auditId, request: c.req.valid('json') }),
    });
    if (made.location) c.header('Location', made.location);
    return made.status === 200 ? c.json(made.body, 200) : c.json(made.body, 202);
  });

  app.openapi(list, async (c) => {
    const tenant = await tenantWith(c, records, 'audit:read');
    const { status, limit, cursor } = c.req.valid('query');
    const after = cursor === undefined ? undefined : readCursor(cursor);
    const audits = await records.audits.list(tenant.id, {
      limit: limit + 1,
      ...(status && { status }),
      ...(after && { after }),
    });
    const page = audits.slice(0, limit);
    const last = page.at(-1);
    c.header('Cache-Control', 'no-store');
    const next = audits.length > limit && last ? `${last.createdAt}.${last.auditId}` : null;
    return c.json({ audits: page.map(view), next }, 200);
  });

  app.openapi(show, async (c) => {
    const { audit } = await findAudit(c, records, 'audit:read');
    c.header('Cache-Control', 'no-store');
    return c.json(view(audit), 200);
  });

  app.openapi(cancel, async (c) => {
    const { tenant, audit } = await findAudit(c, records, 'audit:write');
    await records.jobs.cancel(tenant, audit.jobId);
    return c.json(view(await needAudit(records, tenant, audit.auditId)), 200);
  });

  app.openAPIRegistry.registerPath(events);
  app.get('/api/audits/:auditId/events', async (c) => {
    const { tenant, audit } = await findAudit(c, records, 'audit:read');
    const job = await records.jobs.get(tenant, audit.jobId);
    return answerJobEvents(c, {
      feed: jobFeed(records, tenant, job),
      ...readEventsQuery(c),
      stopping,
      sseMs,
    });
  });

  app.openAPIRegistry.registerPath(report);
  app.get('/api/audits/:auditId/report', async (c) => {
    const format = readFormat(c);
    const { audit } = await findAudit(c, records, 'audit:read');
    const { type, render } = FORMATS[format];
    return c.body(render(await readReport(records, audit)), 200, {
      'Content-Type': type,
      'Cache-Control': 'no-store',
    });
  });

  app.openapi(diff, async (c) => {
    const { tenant, audit } = await findAudit(c, records, 'audit:read');
    const other = await needAudit(records, tenant, c.req.param('other'));
    const [before, after] = await Promise.all([readReport(records, audit), readReport(records, other)]);
    return c.json(diffReports(before, after), 200);
  });
}

interface CreateCall {
  readonly records: AppRecords;
  readonly tenant: Tenant;
  readonly auditId: string;
  readonly request: z.output<typeof AuditRequest>;
}

async function createAudit(c: AppContext, { records, tenant, auditId, request }: CreateCall) {
  const { url, reuse, ...asked } = request;
  refuseUrl(url, records);
  const options = completeOptions(
    Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)),
  );
  const { jobId: _own, ...made } = await records.jobs.enqueue(tenant, {
    kind: 'audit',
    payload: { url, options },
    idempotencyKey: idempotencyKey({ tenant: tenant.slug, url, options, recipeVersion: RECIPE_VERSION }),
    audit: {
      auditId,
      url,
      canonicalUrl: canonicalUrl(url),
      options,
      recipeVersion: RECIPE_VERSION,
      ...(reuse > 0 && { reuseMs: reuse * 1000 }),
    },
  });
  if (!made.created) c.header('Idempotent-Replayed', 'true');
  const audit = await needAudit(records, tenant, made.auditId ?? '');
  const location = absoluteUrl(c, `/api/audits/${audit.auditId}`);
  return { status: made.created ? 202 : 200, body: auditView(audit, records.redact), location };
}

async function findAudit(c: AppContext, records: AppRecords, scope: 'audit:read' | 'audit:write') {
  const tenant = await tenantWith(c, records, scope);
  return { tenant, audit: await needAudit(records, tenant, c.req.param('auditId') ?? '') };
}

async function needAudit({ audits }: AppRecords, tenant: Tenant, auditId: string): Promise<Audit> {
  const audit = isUuid(auditId) ? await audits.get(tenant.id, auditId) : undefined;
  if (audit) return audit;
  throw new SondeError('AUDIT_NOT_FOUND', 'There is no such audit.');
}

async function readReport(
  { audits }: AppRecords,
  { tenantId, auditId, status, reportRef }: Audit,
): Promise<AuditReport> {
  const text = reportRef === null ? undefined : await audits.getPart({ tenantId, auditId }, reportRef);
  if (text !== undefined) return JSON.parse(text) as AuditReport;
  throw new SondeError(
    'AUDIT_NOT_FINISHED',
    `The audit is ${status}; it has no report${status === 'failed' ? '' : ' yet'}.`,
    {
      details: { status },
    },
  );
}

const FORMATS = {
  json: {
    type: 'application/json',
    accept: 'application/json',
    render: (value: AuditReport) => JSON.stringify(value),
  },
  html: { type: 'text/html; charset=utf-8', accept: 'text/html', render: renderHtml },
  md: { type: 'text/markdown; charset=utf-8', accept: 'text/markdown', render: renderMarkdown },
  csv: { type: 'text/csv; charset=utf-8', accept: 'text/csv', render: renderCsv },
} as const;

function readFormat(c: AppContext): keyof typeof FORMATS {
  const given = c.req.query('format');
  if (given !== undefined) {
    if (Object.hasOwn(FORMATS, given)) return given as keyof typeof FORMATS;
    throw new SondeError('INVALID_REQUEST', 'query.format is json, html, md or csv.', {
      details: { field: 'query.format' },
    });
  }
  const accept = c.req.header('accept') ?? '';
  const names = Object.keys(FORMATS) as (keyof typeof FORMATS)[];
  return names.find((name) => accept.includes(FORMATS[name].accept)) ?? 'json';
}

function readCursor(text: string): { createdAt: number; auditId: string } {
  const [, createdAt, auditId = ''] = /^(\d{1,15})\.([0-9a-f-]{36})$/.exec(text) ?? [];
  if (createdAt !== undefined) return { createdAt: Number(createdAt), auditId };
  throw new SondeError('INVALID_REQUEST', 'query.cursor is the "next" of an earlier page.', {
    details: { field: 'query.cursor' },
  });
}
