/** Compares two environments through the object of their pair: `POST /api/compare`, then `GET /api/compare/{id}`. */
import { pairKeyOf } from 'sonde/compare';
import type { EnvPairDO } from 'sonde/edge';

export { AuditLedger, AuditSite, CompareEnvironments, EnvPairDO, HotBuffer } from 'sonde/edge';

interface Env {
  readonly ENVPAIR_DO: DurableObjectNamespace<EnvPairDO>;
}

/** The pair is the same however its URLs are spelled. `default` is the tenant of a Sonde that has only one. */
function computePairKey(leftUrl: string, rightUrl: string): string {
  return pairKeyOf({ tenantId: 'default', leftUrl, rightUrl });
}

async function handlePostCompare(request: Request, env: Env): Promise<Response> {
  const { leftUrl, rightUrl } = (await request.json()) as { leftUrl: string; rightUrl: string };
  const pairKey = computePairKey(leftUrl, rightUrl);
  const stub = env.ENVPAIR_DO.get(env.ENVPAIR_DO.idFromName(pairKey));
  // The object queues the run too: the Workflow probes, compares, explains and saves the result.
  const { comparisonId } = await stub.createComparison(leftUrl, rightUrl);
  return Response.json({ comparisonId }, { status: 201 });
}

async function handleGetCompareStatus(comparisonId: string, env: Env): Promise<Response> {
  const [pairKey = ''] = comparisonId.split(':');
  const stub = env.ENVPAIR_DO.get(env.ENVPAIR_DO.idFromName(pairKey));
  return Response.json(await stub.getComparison(comparisonId));
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (request.method === 'POST' && pathname === '/api/compare') return handlePostCompare(request, env);
    const [, comparisonId] = /^\/api\/compare\/([^/]+)$/.exec(pathname) ?? [];
    if (comparisonId !== undefined) return handleGetCompareStatus(decodeURIComponent(comparisonId), env);
    return new Response('POST /api/compare {"leftUrl": …, "rightUrl": …}\n', { status: 404 });
  },
};
