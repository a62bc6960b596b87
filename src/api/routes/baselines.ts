/**
 * `/api/pairs/{pairKey}/baseline`: the accepted findings of a pair. Later comparisons of the pair mark them as known
 * and leave them out of the verdict; comparisons that have ended do not change.
 */
import * as z from 'zod';
import { findingCodeSchema, severitySchema } from '../../compare/finding.js';
import {
  type AcceptedFinding,
  acceptFindings,
  COMPARISON_LIMITS,
  type EnvDiff,
  type FindingCode,
  pairKeyIn,
} from '../../compare/index.js';
import { SondeError } from '../../errors.js';
import { invalidField } from '../../kernel/invalid-request.js';
import type { App, AppDeps } from '../app-env.js';
import type { AppComparisons } from '../comparisons.js';
import { jsonBody } from '../middleware/json-body.js';
import { tenantWith } from '../records.js';
import { storeErrors } from '../views/error-responses.js';
import { idParam, jsonRequest, jsonResponse, NO_STORE, operations } from '../views/operation.js';
import { iso, time } from '../views/time.js';

const PATH = '/api/pairs/{pairKey}/baseline';
const operation = operations('Comparisons');
const params = idParam('pairKey', 64);

const day = z.iso.date();
const Entry = z
  .object({
    entryId: z.string().describe('`valueFingerprint` of the finding.'),
    code: findingCodeSchema,
    severity: severitySchema.describe('A worse finding counts again.'),
    path: z.string(),
    message: z.string(),
    reason: z.string().optional(),
    expires: day.optional().describe('The last day on which the entry counts.'),
    comparisonId: z.string().describe('The comparison that it was accepted from.'),
    acceptedAt: time,
  })
  .meta({ id: 'BaselineEntry' });
const Baseline = z.object({ entries: z.array(Entry) }).meta({ id: 'Baseline' });

const AcceptRequest = z
  .strictObject({
    comparisonId: z.string().min(1).max(100),
    findings: z
      .union([z.literal('all'), z.array(z.string().min(1).max(1000)).min(1).max(COMPARISON_LIMITS.accepted)])
      .describe('Ids of findings of the comparison, or `all` for those that count for its verdict.'),
    reason: z.string().min(1).max(2000).optional(),
    expires: day.optional(),
  })
  .meta({ id: 'AcceptRequest' });

const list = operation.get(PATH, 'getBaseline', {
  summary: 'List accepted findings of a pair',
  description: 'Scope `compare:read`.',
  request: { params },
  responses: { 200: jsonResponse('The baseline.', Baseline), ...storeErrors() },
});

const accept = operation.post(PATH, 'acceptFindings', {
  middleware: jsonBody({ allow: 'compare:write' }),
  summary: 'Accept findings into the baseline of a pair',
  description: 'Scope `compare:write`. Accepting a finding again replaces its entry.',
  request: { params, ...jsonRequest(AcceptRequest) },
  responses: {
    200: jsonResponse('The entries of this request.', Baseline),
    ...storeErrors('NOT_FOUND', 'UNSUPPORTED_MEDIA_TYPE'),
  },
});

const undo = operation.delete(`${PATH}/{entryId}` as const, 'removeBaselineEntry', {
  summary: 'Remove an entry from the baseline of a pair',
  description: 'Scope `compare:write`. The finding counts again in later comparisons.',
  request: { params: params.extend(idParam('entryId', 64).shape) },
  responses: { 204: { description: 'Removed.' }, ...storeErrors('NOT_FOUND') },
});

export function addBaselines(app: App, { records, comparisons, clock }: AppDeps): void {
  if (!records || !comparisons) return;
  const { store } = comparisons;

  app.openapi(list, async (c) => {
    const { id: tenantId } = await tenantWith(c, records, 'compare:read');
    const accepted = await store.getAccepted({ tenantId, pairKey: c.req.valid('param').pairKey });
    return c.json({ entries: accepted.map(entryView) }, 200, NO_STORE);
  });

  app.openapi(accept, async (c) => {
    const { id: tenantId } = await tenantWith(c, records, 'compare:write');
    const { pairKey } = c.req.valid('param');
    const request = c.req.valid('json');
    const entries = await readEntries(store, { tenantId, pairKey, ...request });
    const { comparisonId } = request;
    const accepted = entries.map((entry) => ({ entry, comparisonId, acceptedAt: clock() }));
    if (!(await store.acceptFindings({ tenantId, pairKey, accepted }))) {
      throw new SondeError(
        'INVALID_REQUEST',
        `The baseline of a pair has at most ${COMPARISON_LIMITS.accepted} entries. Remove some first.`,
        { details: { max: COMPARISON_LIMITS.accepted } },
      );
    }
    return c.json({ entries: accepted.map(entryView) }, 200);
  });

  app.openapi(undo, async (c) => {
    const { id: tenantId } = await tenantWith(c, records, 'compare:write');
    const { pairKey, entryId: fingerprint } = c.req.valid('param');
    if (await store.removeAccepted({ tenantId, pairKey, fingerprint })) return c.body(null, 204);
    throw new SondeError('NOT_FOUND', 'The baseline of this pair has no such entry.');
  });
}

type AcceptCall = z.output<typeof AcceptRequest> & { readonly tenantId: string; readonly pairKey: string };

async function readEntries(store: AppComparisons['store'], call: AcceptCall) {
  const { tenantId, pairKey, comparisonId, findings, reason, expires } = call;
  const key = { tenantId, comparisonId };
  const row = pairKeyIn(comparisonId) === pairKey ? await store.getComparison(key) : undefined;
  if (!row) throw new SondeError('NOT_FOUND', 'This pair has no such comparison.');
  if (row.resultJson === null) {
    throw invalidField('body.comparisonId', 'The comparison has no result to accept findings from.');
  }
  const { diff } = JSON.parse(row.resultJson) as { readonly diff: EnvDiff };
  const right = (await store.getProbes(key)).find(({ side }) => side === 'right');
  return acceptFindings(diff, {
    url: right?.url ?? row.rightUrl,
    ...(findings !== 'all' && { findings }),
    ...(reason !== undefined && { reason }),
    ...(expires !== undefined && { expires }),
  });
}

function entryView({ entry, comparisonId, acceptedAt }: AcceptedFinding): z.input<typeof Entry> {
  const { fingerprint, code, severity, path, message, reason, expires } = entry;
  return {
    entryId: fingerprint,
    code: code as FindingCode,
    severity,
    path,
    message: message ?? '',
    ...(reason !== undefined && { reason }),
    ...(expires !== undefined && { expires }),
    comparisonId,
    acceptedAt: iso(acceptedAt),
  };
}
