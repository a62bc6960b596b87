/**
 * Sends one request to its upstream and waits for the head of the answer. Redirects are not followed. What goes
 * wrong before there is an answer to record becomes the caller's answer here.
 */
import { asSondeError, SondeError } from '../errors.js';
import { concatBytes, type DoorResult, discardBody, type HopBody, type HopResponse } from '../net/index.js';
import type { StreamAnswer } from '../streams/index.js';
import { contentTypeOf, encodeHeaders, safeHeaders } from './header-rules.js';
import type { ProxyParts } from './proxy-parts.js';
import { notAllowed, type UpstreamRequest } from './upstream-request.js';

export type Opened =
  | { readonly ok: true; readonly response: HopResponse }
  /** `sent` is false where surely nothing has left. */
  | { readonly ok: false; readonly answer: StreamAnswer; readonly sent: boolean };

const ERROR_BODY_BYTES_MAX = 64 * 1024;
const REDIRECT_BODY_BYTES = 4096;
/** The proxy's own timers decide; the door's are only kept from firing. */
const NEVER_MS = 2 ** 31 - 1;

/** How a way of asking takes a status that is no plain success. */
export type IsError = (status: number) => 'redirect' | 'error' | undefined;

/** Throws what is wrong with the request itself; then nothing has left. */
export async function openUpstream(
  parts: ProxyParts,
  request: UpstreamRequest,
  isError: IsError,
): Promise<Opened> {
  const { settings } = parts;
  const deadline = new AbortController();
  const cancelDeadline = parts.timers.after(settings.headersMs, () => deadline.abort());
  const result = await send(parts, request, deadline.signal).finally(cancelDeadline);
  if (!result.ok) return failure(result.error, deadline.signal.aborted, settings.headersMs);
  const { response } = result;
  const fault = isError(response.status);
  if (fault === 'redirect') return redirected(response);
  if (fault === 'error') return { ok: false, sent: true, answer: await passOn(parts, response) };
  return { ok: true, response };
}

function send(
  { door, settings }: ProxyParts,
  request: UpstreamRequest,
  signal: AbortSignal,
): Promise<DoorResult> {
  return door.fetch(
    {
      url: request.url.href,
      method: request.method,
      headers: request.headers,
      ...(request.body.length > 0 && { body: request.body }),
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

function failure(error: SondeError, late: boolean, headersMs: number): Opened {
  if (late) {
    const timeout = new SondeError('UPSTREAM_TIMEOUT', `The upstream did not answer within ${headersMs} ms.`);
    return { ok: false, sent: true, answer: { status: 504, headers: {}, error: timeout } };
  }
  if (error.code === 'ssrf_blocked' || error.code === 'invalid_url') {
    const rule = error.details['rule'];
    const refused = notAllowed(error.message, typeof rule === 'string' ? rule : undefined);
    return { ok: false, sent: false, answer: { status: 403, headers: {}, error: refused } };
  }
  return { ok: false, sent: true, answer: badGateway(error) };
}

/** There was no answer, so the status is our own. */
export function badGateway(cause: SondeError): StreamAnswer {
  const error = new SondeError('UPSTREAM_ERROR', `The upstream could not be reached: ${cause.message}.`, {
    cause,
    details: { reason: cause.code },
  });
  return { status: 502, headers: { 'Upstream-Status': '502' }, error };
}

async function redirected({ status, body }: HopResponse): Promise<Opened> {
  await discardBody(body, REDIRECT_BODY_BYTES);
  const error = new SondeError(
    'REDIRECT_NOT_ALLOWED',
    `The upstream redirects (${status}), and the proxy does not follow.`,
  );
  return {
    ok: false,
    sent: true,
    answer: { status: 400, headers: { 'Upstream-Status': String(status) }, error },
  };
}

/** The upstream's own words, as far as they are not too many. */
async function passOn(parts: ProxyParts, { status, headers, body }: HopResponse): Promise<StreamAnswer> {
  const told = { 'Upstream-Status': String(status), 'Upstream-Headers': encodeHeaders(safeHeaders(headers)) };
  const bytes = await readErrorBody(parts, body);
  if (bytes === 'timeout') {
    const error = new SondeError(
      'UPSTREAM_BODY_TIMEOUT',
      `The upstream was silent for ${parts.settings.idleMs} ms.`,
    );
    return { status: 504, headers: told, error };
  }
  return {
    status: 502,
    headers: { ...told, 'Content-Type': contentTypeOf(headers) ?? 'application/octet-stream' },
    body: { kind: 'bytes', bytes },
  };
}

/** What came before an error body broke off is still worth telling. */
async function readErrorBody(
  { timers, settings }: ProxyParts,
  body: HopBody,
): Promise<Uint8Array | 'timeout'> {
  const pieces: Uint8Array[] = [];
  let left = ERROR_BODY_BYTES_MAX;
  let late = false;
  while (left > 0) {
    const cancel = timers.after(settings.idleMs, () => {
      late = true;
      body.cancel();
    });
    const piece = await body.read().catch((thrown: unknown) => void asSondeError(thrown));
    cancel();
    if (late) return 'timeout';
    if (!piece) return concatBytes(pieces);
    pieces.push(piece.subarray(0, left));
    left -= piece.length;
  }
  body.cancel();
  return concatBytes(pieces);
}
