/**
 * Sends one request to its upstream and waits for the response head. Redirects are not followed. A failure before
 * there is a response to record becomes the caller's response.
 */
import { asSondeError, SondeError } from '../errors.js';
import {
  concatBytes,
  discardBody,
  type HeaderList,
  type HopBody,
  type HopResponse,
  type OutboundResult,
} from '../net/index.js';
import type { StreamResponse } from '../streams/index.js';
import type { HeadWait } from './head-wait.js';
import { contentTypeOf, encodeHeaders, safeHeaders } from './header-rules.js';
import type { ProxyDeps } from './proxy-deps.js';
import { StreamedBody } from './streamed-body.js';
import { ABORTED, COMPLETED, type Ending, endingOf, failed, TIMED_OUT } from './upstream-outcome.js';
import { notAllowed, type UpstreamRequest } from './upstream-request.js';

export type OpenResult =
  | { readonly ok: true; readonly response: HopResponse }
  | { readonly ok: false; readonly callerResponse: StreamResponse; readonly call: FailedCall };

/** A call without a response to record as it arrives. */
export interface FailedCall {
  /** `nothing` if the connection was never established; `refused` if this server did not even try. */
  readonly sent: 'request' | 'nothing' | 'refused';
  readonly head?: { readonly status: number; readonly headers: HeaderList };
  /** The first bytes of the upstream's error body. */
  readonly body?: Uint8Array;
  readonly ending: Ending;
}

const ERROR_BODY_BYTES_MAX = 64 * 1024;
/** The rest of a longer error body is discarded. Within these limits, it counts as received. */
const ERROR_REST_BYTES_MAX = 1024 ** 2;
const ERROR_REST_MS = 1_000;
const REDIRECT_BODY_BYTES = 4096;
/** The proxy has its own timers, so those of the egress layer must never fire. */
const NEVER_MS = 2 ** 31 - 1;
/** Errors of the egress layer after which no byte of the request was sent. */
const UNSENT: ReadonlySet<string> = new Set(['dns_error', 'connect_error', 'tls_error', 'http2_only']);

/** Classifies the statuses that an operation does not record as a response. */
export type IsError = (status: number) => 'redirect' | 'error' | undefined;

/** Throws if the request itself is invalid or its body could not be read. */
export async function openUpstream(
  deps: ProxyDeps,
  request: UpstreamRequest,
  { isError, wait }: { readonly isError: IsError; readonly wait: HeadWait },
): Promise<OpenResult> {
  if (request.body instanceof StreamedBody) request.body.onSent = (part) => wait.sent(part);
  const result = await send(deps, request, wait.signal).finally(() => wait.finish());
  if (!result.ok && request.body instanceof StreamedBody && request.body.fault) throw request.body.fault;
  if (!result.ok) return wait.endedBy ? endedEarly(wait.endedBy, request) : failure(result.error, request);
  const { response } = result;
  const fault = isError(response.status);
  if (fault === 'redirect') return redirected(response);
  if (fault === 'error') return forwardError(deps, response);
  return { ok: true, response };
}

function send(
  { outbound, settings }: ProxyDeps,
  request: UpstreamRequest,
  signal: AbortSignal,
): Promise<OutboundResult> {
  return outbound.fetch(
    {
      url: request.url.href,
      method: request.method,
      headers: request.headers,
      ...(request.body.byteLength !== 0 && { body: request.body }),
      ...(request.keepCoding && { keepCoding: true }),
      maxRedirects: 0,
      signal,
      limits: {
        totalMs: NEVER_MS,
        headersMs: NEVER_MS,
        idleMs: NEVER_MS,
        bodyBytes: settings.responseBytesMax,
      },
    },
    request.lifted,
  );
}

function endedEarly(by: 'timeout' | 'stop', { headersMs }: UpstreamRequest): OpenResult {
  const error =
    by === 'timeout'
      ? new SondeError(
          'UPSTREAM_TIMEOUT',
          `The upstream did not respond within ${headersMs} ms (proxy.headersMs, or headersMs of its route).`,
        )
      : requestStopped();
  const ending: Ending = by === 'timeout' ? { outcome: 'timeout', error: 'UPSTREAM_TIMEOUT' } : ABORTED;
  const callerResponse = { status: error.facts.status, headers: {}, error };
  return { ok: false, callerResponse, call: { sent: 'request', ending } };
}

export function requestStopped(): SondeError {
  return new SondeError('UPSTREAM_ABORTED', 'The request was aborted before the upstream responded.');
}

function failure(error: SondeError, request: UpstreamRequest): OpenResult {
  const ending = failed('UPSTREAM_ERROR');
  if (error.code === 'ssrf_blocked' || error.code === 'invalid_url') {
    const { rule, allow } = error.details;
    const hint = typeof allow === 'string' ? `. ${openingOf(request, allow)}` : '';
    const refused = notAllowed(`${error.message}${hint}`, typeof rule === 'string' ? { rule } : {});
    const callerResponse = { status: 403, headers: {}, error: refused };
    return { ok: false, callerResponse, call: { sent: 'refused', ending } };
  }
  const sent = UNSENT.has(error.code) ? 'nothing' : 'request';
  return { ok: false, callerResponse: badGateway(error), call: { sent, ending } };
}

/** How an operator opens the private address of this upstream, which its own setting does not open yet. */
function openingOf({ route }: UpstreamRequest, origin: string): string {
  return route === undefined
    ? `To allow it, put private: before its pattern: --proxy-allow 'private:${origin}'`
    : `To allow it, add "private": true to proxy.routes.${route}`;
}

/** There was no upstream response, so the status is ours. */
function badGateway(cause: SondeError): StreamResponse {
  const error = new SondeError('UPSTREAM_ERROR', `The upstream could not be reached: ${cause.message}.`, {
    cause,
    details: { reason: cause.code },
  });
  return { status: 502, headers: { 'Upstream-Status': '502' }, error };
}

async function redirected({ status, headers, body }: HopResponse): Promise<OpenResult> {
  await discardBody(body, REDIRECT_BODY_BYTES);
  const error = new SondeError(
    'REDIRECT_NOT_ALLOWED',
    `The upstream redirected (${status}); the proxy does not follow redirects. Call the target directly.`,
  );
  return {
    ok: false,
    callerResponse: { status: 400, headers: { 'Upstream-Status': String(status) }, error },
    call: { sent: 'request', head: { status, headers }, ending: failed('REDIRECT_NOT_ALLOWED') },
  };
}

/** The upstream's own error response, up to the limit. */
async function forwardError(deps: ProxyDeps, { status, headers, body }: HopResponse): Promise<OpenResult> {
  const upstreamHeaders = {
    'Upstream-Status': String(status),
    'Upstream-Headers': encodeHeaders(safeHeaders(headers)),
  };
  const { bytes, ending } = await readErrorBody(deps, body);
  const call: FailedCall = { sent: 'request', head: { status, headers }, body: bytes, ending };
  if (ending === TIMED_OUT) {
    const error = new SondeError(
      'UPSTREAM_BODY_TIMEOUT',
      `The upstream sent nothing for ${deps.settings.idleMs} ms (proxy.idleMs).`,
    );
    return { ok: false, call, callerResponse: { status: 504, headers: upstreamHeaders, error } };
  }
  const type = contentTypeOf(headers) ?? 'application/octet-stream';
  const callerResponse: StreamResponse = {
    status: 502,
    headers: { ...upstreamHeaders, 'Content-Type': type },
    body: { kind: 'bytes', bytes },
  };
  return { ok: false, call, callerResponse };
}

/** An error body that ends early is returned as far as it arrived. */
async function readErrorBody(
  deps: ProxyDeps,
  body: HopBody,
): Promise<{ readonly bytes: Uint8Array; readonly ending: Ending }> {
  const { timers, settings } = deps;
  const pieces: Uint8Array[] = [];
  let left = ERROR_BODY_BYTES_MAX;
  let late = false;
  const ended = (ending: Ending) => ({ bytes: concatBytes(pieces), ending });
  while (left > 0) {
    const cancel = timers.after(settings.idleMs, () => {
      late = true;
      body.cancel();
    });
    const read = body.read().catch((thrown: unknown) => asSondeError(thrown, 'fetch_error'));
    const piece = await read.finally(cancel);
    if (late) return ended(TIMED_OUT);
    if (piece instanceof SondeError) return ended(endingOf(piece));
    if (!piece) return ended(COMPLETED);
    pieces.push(piece.subarray(0, left));
    left -= piece.length;
  }
  return ended((await endsSoon(deps, body)) ? COMPLETED : failed('RESPONSE_TOO_LARGE'));
}

async function endsSoon({ timers }: ProxyDeps, body: HopBody): Promise<boolean> {
  let left = ERROR_REST_BYTES_MAX;
  const cancel = timers.after(ERROR_REST_MS, () => body.cancel());
  try {
    for (let piece = await body.read(); piece; piece = await body.read()) {
      left -= piece.length;
      if (left >= 0) continue;
      body.cancel();
      return false;
    }
    return true;
  } catch {
    return false;
  } finally {
    cancel();
  }
}
