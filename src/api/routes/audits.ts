/**
 * `/api/audits`: audits of sites as durable jobs. While an audit is queued or running, an identical request returns
 * that audit. Audits belong to a tenant; the audits of other tenants are not found.
 */
import * as z from 'zod';
import { AUDIT_RANGES, type Audit, completeOptions, RECIPE_VERSION } from '../../audits/index.js';
import { auditDiffSchema, auditReportSchema } from '../../audits/report/audit-report.js';
import { SondeError } from '../../errors.js';
import { JOB_STATUSES, stillRunning, type Tenant } from '../../jobs/index.js';
import { invalidField } from '../../kernel/invalid-request.js';
import { timerTurn } from '../../loop-turns.js';
import { canonicalUrl, idempotencyKey } from '../../net/index.js';
import { isUuid } from '../../uuid.js';
import type { App, AppContext, AppDeps } from '../app-env.js';
import { bodyOf, createInlineRenderer, encodeInTurns, sendChunks } from '../large-bodies.js';
import { idempotently } from '../middleware/idempotency.js';
import { jsonBody } from '../middleware/json-body.js';
import { absoluteUrl } from '../middleware/public-origin.js';
import { type AppRecords, refuseUrl, tenantWith } from '../records.js';
import { AuditView, auditView } from '../views/audit.js';
import { createErrors, storeErrors } from '../views/error-responses.js';
import { addEvents } from '../views/events-operation.js';
import { jobFeed } from '../views/job-events.js';
import {
  addOperation,
  boundedText,
  createdResponse,
  IdempotencyHeaders,
  idParam,
  jsonContent,
  jsonRequest,
  jsonResponse,
  NO_STORE,
  operations,
  textContent,
} from '../views/operation.js';
import { searchPage, textFilter } from '../views/search-page.js';
import { pageParams, readCursor } from '../views/time-pages.js';

const REUSE_SECONDS_MAX = 30 * 86_400;

const operation = operations('Audits');
const params = idParam('auditId', 64);
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
  .meta({ id: 'AuditRequest' });

const create = operation.post('/api/audits', 'createAudit', {
  middleware: jsonBody({ allow: 'audit:write' }),
  summary: 'Start an audit of a site',
  description:
    'Scope `audit:write`. If an identical audit is queued or running, that one is returned with 200.',
  request: { headers: IdempotencyHeaders, ...jsonRequest(AuditRequest) },
  responses: {
    200: createdResponse('An identical audit that already exists.', AuditView),
    202: createdResponse('Queued.', AuditView),
    ...createErrors('invalid_url', 'ssrf_blocked'),
  },
});

const list = operation.get('/api/audits', 'listAudits', {
  summary: 'List audits, newest first',
  description: 'Scope `audit:read`.',
  request: {
    query: z.object({
      status: z.enum(JOB_STATUSES).optional(),
      canonicalUrl: boundedText(2048, 'Only audits of this site.'),
      q: boundedText(200, 'Text in the URL.'),
      ...pageParams,
    }),
  },
  responses: {
    200: jsonResponse(
      'One page of audits. With `q`, it can be short or empty and still have `next`.',
      z.object({ audits: z.array(AuditView), next: z.string().nullable() }).meta({ id: 'Audits' }),
    ),
    ...storeErrors(),
  },
});

const show = operation.get('/api/audits/{auditId}', 'getAudit', {
  summary: 'Get an audit',
  description: 'Scope `audit:read`.',
  request: { params },
  responses: { 200: jsonResponse('The audit.', AuditView), ...storeErrors('AUDIT_NOT_FOUND') },
});

const cancel = operation.post('/api/audits/{auditId}/cancel', 'cancelAudit', {
  summary: 'Cancel an audit',
  description: 'Scope `audit:write`. A queued audit ends at once; a running one when its worker is notified.',
  request: { params },
  responses: {
    200: jsonResponse('The audit.', AuditView),
    ...storeErrors('AUDIT_NOT_FOUND', 'JOB_CONFLICT'),
  },
});

const remove = operation.delete('/api/audits/{auditId}', 'deleteAudit', {
  summary: 'Delete an audit that has ended',
  description: 'Scope `audit:write`. Its report, job and events are deleted too.',
  request: { params },
  responses: { 204: { description: 'Deleted.' }, ...storeErrors('AUDIT_NOT_FOUND', 'STILL_RUNNING') },
});

const report = operation.get('/api/audits/{auditId}/report', 'getAuditReport', {
  summary: 'Get the report of a finished audit',
  description: 'Scope `audit:read`. The format is chosen by `format`, otherwise by `Accept`.',
  request: { params, query: z.object({ format: z.enum(['json', 'html', 'md', 'csv']).optional() }) },
  responses: {
    200: {
      description: 'The report.',
      content: {
        ...jsonContent(auditReportSchema),
        ...textContent('text/html'),
        ...textContent('text/markdown'),
        ...textContent('text/csv'),
      },
    },
    ...storeErrors('AUDIT_NOT_FOUND', 'AUDIT_NOT_FINISHED'),
  },
});

const diff = operation.get('/api/audits/{auditId}/diff/{other}', 'diffAudits', {
  summary: 'Compare the findings of two audits',
  description: 'Scope `audit:read`. `auditId` is the earlier audit, `other` the later one.',
  request: { params: params.extend(idParam('other', 64).shape) },
  responses: {
    200: jsonResponse('Findings that are new, fixed or still present.', auditDiffSchema),
    ...storeErrors('AUDIT_NOT_FOUND', 'AUDIT_NOT_FINISHED'),
  },
});

export function addAudits(app: App, deps: AppDeps): void {
  const { records, turn = timerTurn, reports = createInlineRenderer(turn) } = deps;
  if (!records) return;
  const view = (audit: Audit) => auditView(audit, records.redact);

  app.openapi(create, async (c) => {
    const tenant = await tenantWith(c, records, 'audit:write');
    const created = await idempotently(c, {
      records,
      tenant,
      run: (auditId) => createAudit(c, { records, tenant, auditId, request: c.req.valid('json') }),
    });
    return created.status === 200 ? c.json(created.body, 200) : c.json(created.body, 202);
  });

  app.openapi(list, async (c) => {
    const tenant = await tenantWith(c, records, 'audit:read');
    const { status, canonicalUrl: site, q, limit, cursor } = c.req.valid('query');
    const filter = { ...(status && { status }), ...(site !== undefined && { canonicalUrl: site }) };
    const { items, next } = await searchPage({
      limit,
      after: readCursor(cursor),
      read: (after, count) =>
        records.audits.list(tenant.id, {
          ...filter,
          limit: count,
          ...(after && { after: { createdAt: after.at, auditId: after.id } }),
        }),
      positionOf: ({ createdAt, auditId }) => ({ at: createdAt, id: auditId }),
      matches: textFilter(q, (audit: Audit) => view(audit).url),
    });
    return c.json({ audits: items.map(view), next: next && `${next.at}.${next.id}` }, 200, NO_STORE);
  });

  app.openapi(show, async (c) => {
    const { audit } = await findAudit(c, records, 'audit:read');
    return c.json(view(audit), 200, NO_STORE);
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

  addEvents(app, deps, {
    path: '/api/audits/{auditId}/events',
    operationId: 'getAuditEvents',
    operation,
    params,
    missing: 'AUDIT_NOT_FOUND',
    async feedOf(c) {
      const { tenant, audit } = await findAudit(c, records, 'audit:read');
      return { tenant, feed: jobFeed(records, tenant, await records.jobs.get(tenant, audit.jobId)) };
    },
  });

  addOperation(app, report, async (c) => {
    const format = readFormat(c);
    const { tenant, audit } = await findAudit(c, records, 'audit:read');
    const text = await readReport(records, audit);
    // A report is stored as the JSON that is sent.
    const chunks =
      format === 'json' ? await encodeInTurns(text, turn) : await reports.render(tenant.id, format, [text]);
    const { body, headers } = bodyOf(chunks, turn);
    return c.body(body, 200, { 'Content-Type': TYPES[format], ...headers, ...NO_STORE });
  });

  app.openapi(diff, async (c) => {
    const { tenant, audit } = await findAudit(c, records, 'audit:read');
    const other = await needAudit(records, tenant, c.req.param('other'));
    const texts = await Promise.all([readReport(records, audit), readReport(records, other)]);
    const chunks = await reports.render(tenant.id, 'diff', texts);
    return sendChunks<z.input<typeof auditDiffSchema>>(c, chunks, turn);
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
  throw notFound();
}

/** The stored JSON of a finished audit's report, in pieces. */
async function readReport({ audits }: AppRecords, audit: Audit): Promise<readonly string[]> {
  const { status, reportRef } = audit;
  const pieces: string[] = [];
  for (let total = 1; reportRef !== null && pieces.length < total; ) {
    const read = await audits.getPieces(audit, reportRef, pieces.length);
    if (read.pieces.length === 0 && pieces.length > 0) throw notFound();
    if (read.pieces.length === 0) break;
    pieces.push(...read.pieces);
    total = read.total;
  }
  if (pieces.length > 0) return pieces;
  throw new SondeError(
    'AUDIT_NOT_FINISHED',
    `The audit is ${status}; it has no report${status === 'failed' ? '' : ' yet'}.`,
    { details: { status } },
  );
}

function notFound(): SondeError {
  return new SondeError('AUDIT_NOT_FOUND', 'Audit not found.');
}

const TYPES = {
  json: 'application/json',
  html: 'text/html; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
} as const;

function readFormat(c: AppContext): keyof typeof TYPES {
  const given = c.req.query('format');
  if (given !== undefined) {
    if (Object.hasOwn(TYPES, given)) return given as keyof typeof TYPES;
    throw invalidField('query.format', 'query.format must be json, html, md or csv.');
  }
  const accept = c.req.header('accept') ?? '';
  const names = Object.keys(TYPES) as (keyof typeof TYPES)[];
  return names.find((name) => accept.includes(TYPES[name].replace(/;.*/, ''))) ?? 'json';
}
