/**
 * The accepted findings of a pair. Later comparisons of the pair mark them as known and leave them out of the verdict;
 * comparisons that have ended do not change.
 */
import type * as z from 'zod';
import {
  type AcceptedFinding,
  acceptFindings as accept,
  COMPARISON_LIMITS,
  type EnvDiff,
  type FindingCode,
  pairKeyIn,
} from '../../compare/index.js';
import { SondeError } from '../../errors.js';
import { invalidField } from '../../kernel/invalid-request.js';
import { type Operation, serve } from '../../kernel/operation.js';
import { jsonReply, NO_CONTENT, NO_STORE } from '../../kernel/reply.js';
import type { AppComparisons, ComparisonServices } from '../comparisons.js';
import { tenantOf } from '../records.js';
import { iso } from '../views/time.js';
import * as facts from './facts.js';
import * as schemas from './schemas.js';

const getBaseline = serve(
  facts.getBaseline,
  schemas.getBaseline,
  async (call, { params: { pairKey } }, { records, comparisons }: ComparisonServices) => {
    const { id: tenantId } = await tenantOf(call, records);
    const accepted = await comparisons.store.getAccepted({ tenantId, pairKey });
    return jsonReply({ entries: accepted.map(entryView) }, NO_STORE);
  },
);

const acceptFindings = serve(
  facts.acceptFindings,
  schemas.acceptFindings,
  async (call, { params: { pairKey }, json }, { records, comparisons, clock }: ComparisonServices) => {
    const { id: tenantId } = await tenantOf(call, records);
    const { store } = comparisons;
    const entries = await readEntries(store, { tenantId, pairKey, ...json });
    const { comparisonId } = json;
    const accepted = entries.map((entry) => ({ entry, comparisonId, acceptedAt: clock() }));
    if (!(await store.acceptFindings({ tenantId, pairKey, accepted }))) {
      throw new SondeError(
        'INVALID_REQUEST',
        `The baseline of a pair has at most ${COMPARISON_LIMITS.accepted} entries. Remove some first.`,
        { details: { max: COMPARISON_LIMITS.accepted } },
      );
    }
    return jsonReply({ entries: accepted.map(entryView) });
  },
);

const removeBaselineEntry = serve(
  facts.removeBaselineEntry,
  schemas.removeBaselineEntry,
  async (call, { params }, { records, comparisons }: ComparisonServices) => {
    const { id: tenantId } = await tenantOf(call, records);
    const { pairKey, entryId: fingerprint } = params;
    if (await comparisons.store.removeAccepted({ tenantId, pairKey, fingerprint })) return NO_CONTENT;
    throw new SondeError('NOT_FOUND', 'The baseline of this pair has no such entry.');
  },
);

export const BASELINE_OPERATIONS: readonly Operation<ComparisonServices>[] = [
  getBaseline,
  acceptFindings,
  removeBaselineEntry,
];

type AcceptCall = z.output<typeof schemas.AcceptRequest> & {
  readonly tenantId: string;
  readonly pairKey: string;
};

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
  return accept(diff, {
    url: right?.url ?? row.rightUrl,
    ...(findings !== 'all' && { findings }),
    ...(reason !== undefined && { reason }),
    ...(expires !== undefined && { expires }),
  });
}

function entryView({
  entry,
  comparisonId,
  acceptedAt,
}: AcceptedFinding): z.input<typeof schemas.BaselineEntry> {
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
