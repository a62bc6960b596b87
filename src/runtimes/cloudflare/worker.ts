/** The Worker. It passes every request to the app, and exports the Durable Objects and Workflows. */

import { asSondeError, type SondeError } from '../../errors.js';
import { errorBody, errorHeaders } from '../../kernel/reply.js';
import { NO_PAGE_HEADERS, SECURITY_HEADERS } from '../../kernel/security-headers.js';
import type { CfContext } from '../../probe/index.js';
import { composeApp, type EdgeApp } from './compose-app.js';
import { createConsoleLog } from './console-log.js';
import { consumeDeletions } from './deletions/consume-deletions.js';
import { sweepSegments } from './deletions/sweep-segments.js';
import type { EdgeEnv } from './edge-env.js';
import { refuseOpenWorker } from './open-worker.js';
import { refuseFraming } from './refuse-framing.js';

export { EnvPairDO } from './compare/env-pair.js';
export { AuditLedger } from './ledger/audit-ledger.js';
export { HotBuffer } from './streams/hot-buffer.js';
export { AuditSite } from './workflows/audit-site.js';
export { CompareEnvironments } from './workflows/compare-environments.js';

/** Created by the first request. It is not a promise, because one request must not await a promise of another. */
let composed: EdgeApp | undefined;

/** An error response that does not need the app, in the app's format. */
function respondWithFault(error: SondeError, status: number, { method }: Request): Response {
  const fixed = { 'Cache-Control': 'no-store', ...SECURITY_HEADERS, ...NO_PAGE_HEADERS };
  const headers = { ...fixed, ...errorHeaders(error) };
  const response = Response.json(errorBody(error), { status, headers });
  return method === 'HEAD' ? new Response(null, response) : response;
}

/** The public part of the runner's location; empty on a local run. */
function runnerOf(cf: Partial<IncomingRequestCfProperties>): CfContext {
  const { colo, country, asn, asOrganization, tlsVersion, httpProtocol } = cf;
  const location = { colo, country, asn, asOrganization, tlsVersion, httpProtocol };
  return Object.fromEntries(Object.entries(location).filter(([, value]) => value !== undefined));
}

/**
 * The platform compresses by content type, and on a local run it does so despite `no-transform`, which buffers live
 * bodies. Only a coding that is already set keeps it from that.
 */
function keepFromCompressing(response: Response): Response {
  const { headers } = response;
  if (!/\bno-transform\b/.test(headers.get('cache-control') ?? '') || headers.has('content-encoding'))
    return response;
  headers.set('Content-Encoding', 'identity');
  return response;
}

// biome-ignore lint/style/noDefaultExport: the platform looks for it
export default {
  async fetch(request, env) {
    try {
      composed ??= await composeApp(env);
      refuseOpenWorker(composed.auth, request.headers);
    } catch (error) {
      // A Worker has no startup that could fail, so every request gets the configuration error.
      return respondWithFault(asSondeError(error), 500, request);
    }
    try {
      refuseFraming(request.headers);
    } catch (error) {
      const refused = asSondeError(error);
      return respondWithFault(refused, refused.facts.status, request);
    }
    const peerAddress = request.headers.get('cf-connecting-ip');
    const response = await composed.app.fetch(request, {
      ...(peerAddress !== null && { peerAddress }),
      ...(request.cf && { runner: runnerOf(request.cf) }),
    });
    return keepFromCompressing(response);
  },
  queue: (batch, env) => consumeDeletions(env, batch, createConsoleLog('warn')),
  scheduled: ({ scheduledTime }, env) => sweepSegments(env, scheduledTime, createConsoleLog('warn')),
} satisfies ExportedHandler<EdgeEnv>;
