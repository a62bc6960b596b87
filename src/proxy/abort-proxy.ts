/**
 * PATCH `?action=abort`: stops an upstream request by the id of its stream or, before there is one, by its
 * idempotency key. The bytes received so far stay readable. Idempotent.
 */
import { SondeError } from '../errors.js';
import { hashParts } from '../net/index.js';
import { destroyBefore, type StreamResponse } from '../streams/index.js';
import { errorResponseBytes } from './error-response-bytes.js';
import { leavesOpen } from './keyed-create.js';
import { requestStopped } from './open-upstream.js';
import type { ProxyDeps } from './proxy-deps.js';
import { streamIdOfProxy } from './proxy-metadata.js';
import { checkKey } from './upstream-request.js';

const STOPPED: StreamResponse = { status: 204, headers: {} };

export async function abortProxy(
  deps: ProxyDeps,
  id: string,
  query: URLSearchParams,
): Promise<StreamResponse> {
  requireAbort(query);
  await deps.pumps.stop(streamIdOfProxy(id));
  return STOPPED;
}

export interface AbortByKey {
  readonly tenant: string;
  readonly key: string | null;
  readonly query: URLSearchParams;
}

/** An unknown key is claimed and an open one is ended, so that a request that arrives after its abort is not sent. */
export async function abortByKey(
  deps: ProxyDeps,
  { tenant, key: given, query }: AbortByKey,
): Promise<StreamResponse> {
  const { store, lifetime, settings, pumps, creating } = deps;
  requireAbort(query);
  if (given === null)
    throw new SondeError(
      'INVALID_REQUEST',
      'The Idempotency-Key header is required: the key of the request to abort.',
    );
  checkKey(given);
  const key = hashParts([tenant, given]);
  const running = creating.get(key);
  if (running) {
    running.wait.stop();
    return STOPPED;
  }
  const now = destroyBefore(lifetime);
  const expiresAt = lifetime.now() + settings.keepMs;
  const known = await store.beginCreate({ key, fingerprint: '', now, expiresAt });
  if (known?.result?.kind === 'stream') await pumps.stop(streamIdOfProxy(known.result.id));
  const error = requestStopped();
  const { status } = error.facts;
  const result = { kind: 'refused', status, ...errorResponseBytes(error, {}) } as const;
  if (!known || (await leavesOpen(deps, known))) await store.endCreate(key, { result });
  return STOPPED;
}

function requireAbort(query: URLSearchParams): void {
  if (query.get('action') === 'abort') return;
  throw new SondeError('INVALID_ACTION', 'The query parameter action must be abort.', {
    details: { supported: ['abort'] },
  });
}
