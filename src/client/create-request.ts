/**
 * Has the server send a request upstream. It always carries a key, so that a create whose answer got lost can be
 * repeated: the server sends it on once, and tells of the same answer again.
 */
import { refusalOf } from './durable-fetch-error.js';
import type { RequestFacts } from './request-facts.js';
import { Retry } from './retry.js';
import { callServer, type ServerCall } from './server-call.js';
import type { ClientSettings } from './settings.js';
import { type UpstreamHead, upstreamHead } from './upstream-head.js';

export type Created =
  | { readonly kind: 'stream'; readonly head: UpstreamHead; readonly url: string }
  /** The upstream's own words, whole. */
  | { readonly kind: 'refused'; readonly head: UpstreamHead; readonly body: Uint8Array<ArrayBuffer> };

export async function createRequest(
  settings: ClientSettings,
  request: RequestFacts,
  { key, signal }: { readonly key: string; readonly signal?: AbortSignal | undefined },
): Promise<Created> {
  const attempt = async (): Promise<Created> => {
    const call = await callServer(settings, settings.endpoint, {
      method: 'POST',
      headers: await headersOf(settings, request, key),
      body: request.body ?? null,
      // An upstream may think for a while before it says anything.
      stallMs: settings.stallMs * 2,
      signal: signal ?? null,
    });
    if (call.status < 300) return { kind: 'stream', head: upstreamHead(call), url: readUrl(settings, call) };
    if (call.status !== 502 || call.header('upstream-headers') === null) throw await refusalOf(call);
    return { kind: 'refused', head: upstreamHead(call), body: await call.rest() };
  };
  return new Retry(settings).run(attempt, signal);
}

async function headersOf(
  { token, orphanPolicy }: ClientSettings,
  request: RequestFacts,
  key: string,
): Promise<Headers> {
  const headers = new Headers(request.headers);
  const authorization = headers.get('authorization');
  const own = await token();
  headers.delete('authorization');
  if (authorization !== null) headers.set('upstream-authorization', authorization);
  if (own !== undefined) headers.set('authorization', `Bearer ${own}`);
  if (orphanPolicy !== undefined) headers.set('orphan-policy', orphanPolicy);
  headers.set('upstream-url', request.url);
  headers.set('upstream-method', request.method);
  headers.set('idempotency-key', key);
  return headers;
}

/** The answer's address, at the server as the caller knows it: it may know itself by another name. */
function readUrl({ endpoint }: ClientSettings, { header }: ServerCall): string {
  const { pathname, search } = new URL(header('location') ?? '', endpoint);
  return endpoint + pathname.slice(pathname.lastIndexOf('/')) + search;
}

/** Unlike `randomUUID`, this is there on pages without TLS too. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
