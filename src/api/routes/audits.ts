/**
 * `/api/audits`: audits of sites as durable jobs. While an audit is queued or running, an identical request returns
 * that audit. Audits belong to a tenant; the audits of other tenants are not found.
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
import { JOB_STATUSES, stillRunning, type Tenant } from '../../jobs/index.js';
import { canonicalUrl, idempotencyKey } from '../../net/index.js';
import { isUuid } from '../../uuid.js';
import type { App, AppContext, AppDeps } from '../app-env.js';
import { IDEMPOTENCY_ERRORS, idempotently } from '../middleware/idempotency.js';
import { jsonBody } from '../middleware/json-body.js';
import { absoluteUrl } from '../middleware/public-origin.js';
import { type AppRecords, RECORD_ERRORS, refuseUrl, tenantWith } from '../records.js';
import { AuditView, auditView } from '../views/audit.js';
import { AuditDiffView, AuditReportView } from '../views/audit-report.js';
import { errorResponses } from '../views/error-responses.js';
import { eventsOperation, readEventsQuery } from '../views/events-operation.js';
import { jobFeed, respondWithJobEvents } from '../views/job-events.js';
import {
  IdempotencyHeaders,
  idParam,
  jsonContent,
  jsonRequest,
  SERVICE_SECURITY,
} from '../views/operation.js';
import { responseHeaders } from '../views/response-headers.js';

const LIST_MAX = 200;
const REUSE_SECONDS_MAX = 30 * 86_400;

const shared = { tags: ['Audits'], security: SERVICE_SECURITY };
const params = idParam('auditId', 64);
const content = jsonContent(AuditView);
const whole = ({ min, max }: { min: number; max: number }) => z.int().min(min).max(max).optional();

const AuditRequest = z
  .strictObject({
    url: z.string().min(1).max(2048),
    pages: whole(AUDIT_RANGES.pages).describe('Maximum number of pages to fetch.'),
    depth: whole(AUDIT_RANGES.depth).describe('Maximum number of clicks from the home page.'),
    concurrency: whole(AUDIT_RANGES.concurrency).describe('Maximum concurrent requests per host.'),
    delayMs: whole(AUDIT_RANGES.delayMs).describe('Minimum delay between two requests to one host.'),
    checks: whole(AUDIT_RANGES.checks).describe('Additional links and assets to check.'),
    links: z
      .enum(['internal', 'all'])
      .optional()
      .describe('Check URLs of the site only, or all. Default all.'),
    reuse: whole({ min: 0, max: REUSE_SECONDS_MAX }).describe(
      'Reuse an identical audit finished within this many seconds. Default 0: never.',
    ),
  })
  .openapi('AuditRequest');

const create = createRoute({
  ...shared,
  method: 'post',
  path: '/api/audits',
  operationId: 'createAudit',
  middleware: jsonBody({ allow: 'audit:write' }),
  summary: 'Start an audit of a site',
  description:
    'Scope `audit:write`. If an identical audit is queued or running, that one is returned with 200.',
  request: { headers: IdempotencyHeaders, ...jsonRequest(AuditRequest) },
  responses: {
    200: {
      description: 'An identical audit that already exists.',
      headers: responseHeaders('Location', 'Idempotent-Replayed?'),
      content,
    },
    202: { description: 'Queued.', headers: responseHeaders('Location', 'Idempotent-Replayed?'), content },
    ...errorResponses(
      ...RECORD_ERRORS,
      ...IDEMPOTENCY_ERRORS,
      'invalid_url',
      'ssrf_blocked',
      'UNSUPPORTED_MEDIA_TYPE',
    ),
  },
});

const list = createRoute({
  ...shared,
  method: 'get',
  path: '/api/audits',
  operationId: 'listAudits',
  summary: 'List audits, newest first',
  description: 'Scope `audit:read`.',
  request: {
    query: z.object({
      status: z.enum(JOB_STATUSES).optional(),
      limit: z.coerce.number().int().min(1).max(LIST_MAX).default(50),
      cursor: z.string().max(64).optional().describe('`next` of the previous page.'),
    }),
  },
  responses: {
    200: {
      description: 'One page of audits.',
      content: jsonContent(
        z.object({ audits: z.array(AuditView), next: z.string().nullable() }).openapi('Audits'),
      ),
    },
    ...errorResponses(...RECORD_ERRORS),
  },
});

const show = createRoute({
  ...shared,
  method: 'get',
  path: '/api/audits/{auditId}',
  operationId: 'getAudit',
  summary: 'Get an audit',
  description: 'Scope `audit:read`.',
  request: { params },
  responses: {
    200: { description: 'The audit.', content },
    ...errorResponses(...RECORD_ERRORS, 'AUDIT_NOT_FOUND'),
  },
});

const cancel = createRoute({
  ...shared,
  method: 'post',
  path: '/api/audits/{auditId}/cancel',
  operationId: 'cancelAudit',
  summary: 'Cancel an audit',
  description: 'Scope `audit:write`. A queued audit ends at once; a running one when its worker is notified.',
  request: { params },
  responses: {
    200: { description: 'The audit.', content },
    ...errorResponses(...RECORD_ERRORS, 'AUDIT_NOT_FOUND', 'JOB_CONFLICT'),
  },
});

const remove = createRoute({
  ...shared,
  method: 'delete',
  path: '/api/audits/{auditId}',
  operationId: 'deleteAudit',
  summary: 'Delete an audit that has ended',
  description: 'Scope `audit:write`. Its report, job and events are deleted too.',
  request: { params },
  responses: {
    204: { description: 'Deleted.' },
    ...errorResponses(...RECORD_ERRORS, 'AUDIT_NOT_FOUND', 'STILL_RUNNING'),
  },
});

const report = createRoute({
  ...shared,
  method: 'get',
  path: '/api/audits/{auditId}/report',
  operationId: 'getAuditReport',
  summary: 'Get the report of a finished audit',
  description: 'Scope `audit:read`. The format is chosen by `format`, otherwise by `Accept`.',
  request: { params, query: z.object({ format: z.enum(['json', 'html', 'md', 'csv']).optional() }) },
  responses: {
    200: {
      description: 'The report.',
      content: {
        ...jsonContent(AuditReportView),
        'text/html': { schema: z.string() },
        'text/markdown': { schema: z.string() },
        'text/csv': { schema: z.string() },
      },
    },
    ...errorResponses(...RECORD_ERRORS, 'AUDIT_NOT_FOUND', 'AUDIT_NOT_FINISHED'),
  },
});

const diff = createRoute({
  ...shared,
  method: 'get',
  path: '/api/audits/{auditId}/diff/{other}',
  operationId: 'diffAudits',
  summary: 'Compare the findings of two audits',
  description: 'Scope `audit:read`. `auditId` is the earlier audit, `other` the later one.',
  request: { params: params.extend(idParam('other', 64).shape) },
  responses: {
    200: {
      description: 'Findings that are new, fixed or still present.',
      content: jsonContent(AuditDiffView),
    },
    ...errorResponses(...RECORD_ERRORS, 'AUDIT_NOT_FOUND', 'AUDIT_NOT_FINISHED'),
  },
});

const events = eventsOperation({
  path: '/api/audits/{auditId}/events',
  operationId: 'getAuditEvents',
  tags: shared.tags,
  params,
  missing: 'AUDIT_NOT_FOUND',
});

export function addAudits(app: App, { records, stopping, sseMs }: AppDeps): void {
  if (!records) return;
  const view = (audit: Audit) => auditView(audit, records.redact);

  app.openapi(create, async (c) => {
    const tenant = await tenantWith(c, records, 'audit:write');
    const created = await idempotently(c, {
      records,
      tenant,
      run: (auditId) => createAudit(c, { records, tenant, auditId, request: c.req.valid('json') }),
    });
    if (created.location) c.header('Location', created.location);
    return created.status === 200 ? c.json(created.body, 200) : c.json(created.body, 202);
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

  app.openapi(remove, async (c) => {
    const { tenant, audit } = await findAudit(c, records, 'audit:write');
    if (audit.finishedAt === null) throw stillRunning('audit', `/api/audits/${audit.auditId}/cancel`);
    await records.jobs.remove(tenant, audit.jobId);
    return c.body(null, 204);
  });

  app.openAPIRegistry.registerPath(events);
  app.get('/api/audits/:auditId/events', async (c) => {
    const { tenant, audit } = await findAudit(c, records, 'audit:read');
    const job = await records.jobs.get(tenant, audit.jobId);
    return respondWithJobEvents(c, {
      tenant,
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
    return c.json(diffReports(before, after) as z.input<typeof AuditDiffView>, 200);
  });
}

interface CreateCall {
  readonly records: AppRecords;
  readonly tenant: Tenant;
  readonly auditId: string;
  readonly request: z.output<typeof AuditRequest>;
}

async function createAudit(c: AppContext, { records, tenant, auditId, request }: CreateCall) {
  const { url, reuse = 0, ...requested } = request;
  refuseUrl(url, records);
  const options = completeOptions(
    Object.fromEntries(Object.entries(requested).filter(([, value]) => value !== undefined)),
  );
  const { jobId: _own, ...enqueued } = await records.jobs.enqueue(tenant, {
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
  if (!enqueued.created) c.header('Idempotent-Replayed', 'true');
  const audit = await needAudit(records, tenant, enqueued.auditId ?? '');
  const location = absoluteUrl(c, `/api/audits/${audit.auditId}`);
  return { status: enqueued.created ? 202 : 200, body: auditView(audit, records.redact), location };
}

async function findAudit(c: AppContext, records: AppRecords, scope: 'audit:read' | 'audit:write') {
  const tenant = await tenantWith(c, records, scope);
  return { tenant, audit: await needAudit(records, tenant, c.req.param('auditId') ?? '') };
}

async function needAudit({ audits }: AppRecords, tenant: Tenant, auditId: string): Promise<Audit> {
  const audit = isUuid(auditId) ? await audits.get(tenant.id, auditId) : undefined;
  if (audit) return audit;
  throw new SondeError('AUDIT_NOT_FOUND', 'Audit not found.');
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
    throw new SondeError('INVALID_REQUEST', 'query.format must be json, html, md or csv.', {
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
  throw new SondeError('INVALID_REQUEST', 'query.cursor must be the "next" of an earlier page.', {
    details: { field: 'query.cursor' },
  });
}
