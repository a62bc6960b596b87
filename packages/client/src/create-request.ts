/**
 * Makes the server send a request upstream. The create always has an idempotency key, so it can be repeated if its
 * response was lost: the server returns the same response again, and sends the request again only after a refusal.
 */
import { readRefusal } from './durable-fetch-error.js';
import type { PreparedRequest } from './read-request.js';
import { Retry } from './retry.js';
import { callServer, type ServerCall } from './server-call.js';
import type { ClientSettings } from './settings.js';
import { type UpstreamHead, upstreamHead } from './upstream-head.js';

export type Created =
  | { readonly kind: 'stream'; readonly head: UpstreamHead; readonly url: string }
  /** The upstream's own error response. */
  | {
      readonly kind: 'refused';
      readonly head: UpstreamHead;
      readonly body: Uint8Array<ArrayBuffer> | string;
    };

export async function createRequest(
  settings: ClientSettings,
  request: PreparedRequest,
  { key, signal }: { readonly key: string; readonly signal?: AbortSignal | undefined },
): Promise<Created> {
  const attempt = async (): Promise<Created> => {
    const call = await callServer(settings, settings.endpoint, {
      method: 'POST',
      headers: await headersOf(settings, request, key),
      body: request.body ?? null,
      // An upstream may be slow to send its first byte.
      stallMs: settings.stallMs * 2,
      signal: signal ?? null,
    });
    if (call.status < 300) return { kind: 'stream', head: upstreamHead(call), url: readUrl(settings, call) };
    if (call.status !== 502 || call.header('upstream-headers') === null) throw await readRefusal(call);
    return { kind: 'refused', head: upstreamHead(call), body: await call.rest() };
  };
  return new Retry(settings).run(attempt, signal);
}

async function headersOf(
  settings: ClientSettings,
  request: PreparedRequest,
  key: string,
): Promise<Record<string, string>> {
  const { orphanPolicy } = settings;
  const { authorization, ...headers } = Object.fromEntries(request.headers);
  return {
    ...headers,
    ...(authorization !== undefined && { 'upstream-authorization': authorization }),
    ...(orphanPolicy !== undefined && { 'orphan-policy': orphanPolicy }),
    'upstream-url': request.url,
    'upstream-method': request.method,
    ...(await authHeaders(settings, key)),
  };
}

/** Identifies the caller and the request. */
export async function authHeaders({ token }: ClientSettings, key: string): Promise<Record<string, string>> {
  const own = await token();
  return { 'idempotency-key': key, ...(own !== undefined && { authorization: `Bearer ${own}` }) };
}

/** The URL of the response, on the endpoint that the caller uses: the server may see itself under another name. */
function readUrl({ endpoint }: ClientSettings, { header }: ServerCall): string {
  const { pathname, search } = new URL(header('location') ?? '', endpoint);
  return endpoint + pathname.slice(pathname.lastIndexOf('/')) + search;
}

/** Unlike `randomUUID`, this also works on pages without TLS. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
