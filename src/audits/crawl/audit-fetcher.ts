/**
 * Sends one request of an audit through the egress layer: politely, within limits, and with retries where they may
 * help. Whatever the target does is returned as facts; only a canceled audit throws.
 *
 * Timeouts, DNS, connect and network errors, 429 and 503 are retried, with at most three attempts in total.
 * `Retry-After` is respected unless it exceeds `retryAfterMaxMs`; then the response is final.
 */
import { SondeError } from '../../errors.js';
import {
  followRedirects,
  type HeaderList,
  type HopResponse,
  headerValues,
  isRedirect,
  type OutboundResult,
  type Redactor,
  readBody,
} from '../../net/index.js';
import { tryUrl } from '../../try-url.js';
import type { FetchFacts, TlsFacts } from '../facts/fetch-facts.js';
import type { AuditPorts, FetchBounds } from './audit-ports.js';
import { cookieFacts } from './cookie-facts.js';
import type { HostGate } from './host-gate.js';
import { StopFan } from './stop-fan.js';

export const FETCH_LIMITS = {
  fetchMs: 30_000,
  bodyBytesMax: 10_000_000,
  redirectsMax: 5,
  tries: 3,
  retryBaseMs: 500,
  retryAfterMaxMs: 30_000,
  headerChars: 2_000,
} as const;

export interface FetchRequest {
  readonly url: string;
  readonly method?: 'GET' | 'HEAD';
  /** Which bodies are read: all, those of HTML responses, or none. */
  readonly keep: 'any' | 'html' | 'none';
  readonly bodyBytes?: number;
  readonly tries?: number;
  readonly totalMs?: number;
  readonly redirects?: number;
  readonly headers?: HeaderList;
  /** A different user agent, for probes of an owner. */
  readonly userAgent?: string;
  /** Called before every redirect; if it returns false, the result has the redirect's own status. */
  readonly mayFollow?: (to: URL) => Promise<boolean>;
  /** Skips the queue, for callers that already hold a slot at the host: waiting for a second one could deadlock. */
  readonly ungated?: boolean;
}

export interface FetchedResponse {
  readonly facts: FetchFacts;
  readonly bytes: Uint8Array | null;
}

export interface FetcherOptions {
  readonly ports: AuditPorts;
  readonly gate: HostGate;
  readonly userAgent: string;
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
}

const RETRIED_ERRORS = new Set(['timeout', 'dns_error', 'connect_error', 'fetch_error']);

export class AuditFetcher {
  readonly #options: FetcherOptions;
  readonly #stops: StopFan;
  readonly #bounds: FetchBounds;

  constructor(options: FetcherOptions) {
    this.#options = options;
    this.#stops = new StopFan(options.signal);
    this.#bounds = options.ports.bounds ?? FETCH_LIMITS;
  }

  fetch(request: FetchRequest): Promise<FetchedResponse> {
    const { during = runWait } = this.#options.ports;
    return during(() => this.#stops.run((signal) => this.#tries(request, signal)));
  }

  async #tries(request: FetchRequest, signal: AbortSignal): Promise<FetchedResponse> {
    const { gate, ports } = this.#options;
    const { inTurn = runWait } = ports;
    const host = tryUrl(request.url)?.host ?? '';
    const tries = request.tries ?? FETCH_LIMITS.tries;
    for (let attempt = 1; ; attempt += 1) {
      const once = () => this.#once(request, attempt, signal);
      // A request that is part of another one has its turn already.
      const response = request.ungated ? await once() : await gate.run(host, signal, () => inTurn(once));
      const waitMs = attempt < tries ? this.#retryInMs(response.facts, attempt) : null;
      if (waitMs === null) return response;
      await ports.clock.sleep(waitMs, signal);
    }
  }

  async #once(request: FetchRequest, attempt: number, signal: AbortSignal): Promise<FetchedResponse> {
    const { ports, userAgent } = this.#options;
    const { url, method = 'GET', bodyBytes = this.#bounds.bodyBytesMax } = request;
    const startedAt = performance.now();
    const result = await followRedirects(ports.egress, {
      url,
      method,
      headers: [['user-agent', request.userAgent ?? userAgent], ...(request.headers ?? [])],
      // The egress layer rejects a body that exceeds its limit. Here a longer body is truncated, so its limit must be
      // higher.
      limits: {
        totalMs: request.totalMs ?? this.#bounds.fetchMs,
        bodyBytes: bodyBytes * 2 + 1_000_000,
      },
      maxRedirects: request.redirects ?? this.#bounds.redirectsMax,
      allowDowngrade: true,
      signal,
      ...(request.mayFollow && { mayFollow: request.mayFollow }),
    });
    signal.throwIfAborted();
    const body = result.ok ? await this.#body(result.response, request) : null;
    signal.throwIfAborted();
    return this.#responseOf({ request, attempt, result, body, totalMs: performance.now() - startedAt });
  }

  async #body(response: HopResponse, request: FetchRequest): Promise<Body | null> {
    const type = headerValues(response.headers, 'content-type')[0] ?? '';
    const wanted = !request.mayFollow || !isRedirect(response.status) ? isWanted(request, type) : false;
    if (!wanted || request.method === 'HEAD') {
      if (request.method !== 'HEAD') response.body.cancel();
      return null;
    }
    try {
      const { bytes, truncated } = await readBody(
        response.body,
        request.bodyBytes ?? this.#bounds.bodyBytesMax,
      );
      const sha256 = this.#options.ports.sha256?.(bytes) ?? (await digest(bytes));
      return { bytes, truncated, sha256, wireBytes: response.body.wireBytes?.() ?? null };
    } catch (thrown) {
      if (!(thrown instanceof SondeError)) throw thrown;
      return { error: { code: thrown.code, message: this.#options.redactor.truncated(thrown.message, 300) } };
    }
  }

  #responseOf({ request, attempt, result, body, totalMs }: Attempt): FetchedResponse {
    const { redactor } = this.#options;
    const broken = body && 'error' in body ? body.error : null;
    const read = body && !('error' in body) ? body : null;
    const error = result.ok
      ? broken
      : { code: result.error.code, message: redactor.truncated(result.error.message, 300) };
    const response = result.ok && !broken ? result.response : null;
    const facts: FetchFacts = {
      url: redactor.text(request.url),
      method: request.method ?? 'GET',
      status: response?.status ?? null,
      error,
      finalUrl: redactor.text(withoutFragment(result.finalUrl)),
      redirects: result.redirects.map(({ fromUrl, toUrl, status }) => ({
        fromUrl: redactor.text(fromUrl),
        toUrl: redactor.text(toUrl),
        status,
      })),
      headers: response ? keptHeaders(response.headers, redactor) : [],
      cookies: response ? headerValues(response.headers, 'set-cookie').slice(0, 50).map(cookieFacts) : [],
      ttfbMs: roundOrNull(response?.timings().firstByte),
      totalMs: Math.round(totalMs),
      bodyBytes: read?.bytes.length ?? null,
      wireBytes: read?.wireBytes ?? null,
      truncated: read?.truncated ?? false,
      bodySha256: read?.sha256 ?? null,
      attempts: attempt,
      tls: response ? tlsFacts(response) : null,
    };
    return { facts, bytes: read?.bytes ?? null };
  }

  /** Null if the response is final. */
  #retryInMs({ status, error, headers }: FetchFacts, attempt: number): number | null {
    const shouldRetry = error ? RETRIED_ERRORS.has(error.code) : status === 429 || status === 503;
    if (!shouldRetry) return null;
    const { ports } = this.#options;
    const retryAfter = retryAfterMs(headerValues(headers, 'retry-after')[0], ports.clock.now());
    if (retryAfter !== null) return retryAfter <= FETCH_LIMITS.retryAfterMaxMs ? retryAfter : null;
    const ceiling = FETCH_LIMITS.retryBaseMs * 2 ** (attempt - 1);
    return ceiling / 2 + (ports.random() * ceiling) / 2;
  }
}

const runWait: NonNullable<AuditPorts['during']> = (wait) => wait();

type Body =
  | {
      readonly bytes: Uint8Array;
      readonly truncated: boolean;
      readonly sha256: string;
      readonly wireBytes: number | null;
    }
  | { readonly error: { readonly code: string; readonly message: string } };

interface Attempt {
  readonly request: FetchRequest;
  readonly attempt: number;
  readonly result: OutboundResult;
  readonly body: Body | null;
  readonly totalMs: number;
}

/** RFC 9110 §10.2.3: seconds or a date. */
export function retryAfterMs(value: string | undefined, nowMs: number): number | null {
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}

function isWanted({ keep }: FetchRequest, type: string): boolean {
  return keep === 'any' || (keep === 'html' && isHtml(type));
}

export function isHtml(contentType: string): boolean {
  return /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i.test(contentType);
}

/** Headers with truncated and redacted values, without cookies, which are recorded separately. */
function keptHeaders(headers: HeaderList, redactor: Redactor): HeaderList {
  return headers
    .filter(([name]) => name !== 'set-cookie' && name !== 'set-cookie2')
    .map(([name, value]) => [name, redactor.truncated(value, FETCH_LIMITS.headerChars)] as const);
}

function tlsFacts({ connection }: HopResponse): TlsFacts | null {
  const { alpn, tlsVersion, certificate } = connection;
  if (tlsVersion === undefined && certificate === undefined) return null;
  return {
    alpn: alpn ?? null,
    version: tlsVersion ?? null,
    issuer: certificate?.issuer ?? null,
    subject: certificate?.subject ?? null,
    altNames: certificate?.altNames.slice(0, 50) ?? [],
    validFrom: certificate?.validFrom ?? null,
    validTo: certificate?.validTo ?? null,
  };
}

function withoutFragment(url: string): string {
  return url.split('#', 1)[0] ?? url;
}

function roundOrNull(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.round(ms);
}

async function digest(bytes: Uint8Array): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>);
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
