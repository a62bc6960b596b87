/**
 * Sends one request and follows its redirects. Every hop goes through the whole policy again, and all hops share one
 * deadline. A failing target is data, so it produces a result and never an exception; only a malformed request, the
 * caller's fault, throws. A refused hop stays in the chain.
 */
import { asSondeError, SondeError } from '../errors.js';
import { discardBody } from './body.js';
import type { Egress, HopResponse, RequestBody } from './egress.js';
import { cleanRequestHeaders, type HeaderList, headerValues } from './headers.js';
import { completeLimits, type RequestLimits } from './limits.js';
import type { Target } from './policy.js';
import { isRedirect, locationOf, nextRequest, type Sendable } from './redirect-rules.js';
import { refusalError } from './refusal.js';

export interface OutboundRequest {
  readonly url: string;
  readonly method?: string;
  readonly headers?: HeaderList;
  readonly body?: RequestBody;
  /** Keeps the content coding instead of decoding the body, if the engine can. */
  readonly keepCoding?: boolean;
  readonly limits?: Partial<RequestLimits>;
  /** How many redirects to follow; one more fails with `redirect_limit`. 0 returns a redirect as the response. */
  readonly maxRedirects?: number;
  /** Allows a redirect from https to http. */
  readonly allowDowngrade?: boolean;
  readonly signal?: AbortSignal;
  /** Called before a redirect is followed. If it returns false, the redirect itself is the final response. */
  readonly mayFollow?: (to: URL) => boolean | Promise<boolean>;
  /** Called with every response head, including the last, before its body is read. */
  readonly onResponse?: (url: URL, response: HopResponse) => void;
}

export interface RedirectHop {
  readonly fromUrl: string;
  readonly toUrl: string;
  readonly status: number;
}

interface OutboundOutcome {
  /** The URL of the last hop that was sent or refused. */
  readonly finalUrl: string;
  readonly redirects: readonly RedirectHop[];
  /** From the call to the last response head or the failure, over all hops. */
  readonly durationMs: number;
}

export type OutboundResult =
  | (OutboundOutcome & { readonly ok: true; readonly response: HopResponse })
  | (OutboundOutcome & { readonly ok: false; readonly error: SondeError });

export const MAX_REDIRECTS_DEFAULT = 10;
/** A redirect's body is not needed; a short one is read so that its socket can be reused. */
const REDIRECT_BODY_BYTES = 4096;

export async function followRedirects(egress: Egress, request: OutboundRequest): Promise<OutboundResult> {
  const chain = new RedirectChain(egress, request);
  try {
    const response = await chain.follow();
    return { ok: true, response, ...chain.outcome() };
  } catch (thrown) {
    if (thrown instanceof SondeError && thrown.code === 'INVALID_REQUEST') throw thrown;
    return { ok: false, error: asSondeError(thrown, 'fetch_error'), ...chain.outcome() };
  }
}

class RedirectChain {
  readonly #startedAt = performance.now();
  readonly #redirects: RedirectHop[] = [];
  readonly #visited = new Set<string>();
  readonly #egress: Egress;
  readonly #request: OutboundRequest;
  readonly #limits: RequestLimits;
  #url: string;

  constructor(egress: Egress, request: OutboundRequest) {
    this.#egress = egress;
    this.#request = request;
    this.#limits = completeLimits(request.limits);
    this.#url = request.url;
  }

  outcome(): OutboundOutcome {
    return {
      finalUrl: this.#url,
      redirects: this.#redirects,
      durationMs: performance.now() - this.#startedAt,
    };
  }

  async follow(): Promise<HopResponse> {
    const { maxRedirects = MAX_REDIRECTS_DEFAULT } = this.#request;
    let target = this.#judge(this.#request.url);
    let sendable: Sendable = {
      method: readMethod(this.#request.method ?? 'GET'),
      headers: cleanRequestHeaders(this.#request.headers ?? []),
      ...(this.#request.body && { body: this.#request.body }),
    };
    for (;;) {
      this.#visited.add(`${sendable.method} ${target.url.href}`);
      const response = await this.#send(target, sendable);
      this.#request.onResponse?.(target.url, response);
      if (maxRedirects === 0 || !isRedirect(response.status)) return response;
      await discardBody(response.body, REDIRECT_BODY_BYTES);
      const from = target.url;
      target = this.#nextTarget(from, response);
      sendable = nextRequest(sendable, response.status, from.origin === target.url.origin);
      this.#refuseLoop(sendable.method, target.url);
      if ((await this.#request.mayFollow?.(target.url)) === false) return response;
    }
  }

  #judge(text: string, from?: URL): Target {
    const verdict = this.#egress.policy.judgeUrl(text, from);
    if (!verdict.ok) throw refusalError(verdict.refusal);
    this.#url = verdict.target.url.href;
    return verdict.target;
  }

  #send(target: Target, sendable: Sendable): Promise<HopResponse> {
    const totalMs = this.#limits.totalMs - (performance.now() - this.#startedAt);
    if (totalMs <= 0) throw new SondeError('timeout', `no response within ${this.#limits.totalMs} ms`);
    const { signal, keepCoding } = this.#request;
    return this.#egress.send({
      target,
      ...sendable,
      limits: { ...this.#limits, totalMs },
      ...(keepCoding && { keepCoding }),
      ...(signal && { signal }),
    });
  }

  #nextTarget(from: URL, response: HopResponse): Target {
    const location = locationOf(headerValues(response.headers, 'location'), from);
    this.#redirects.push({ fromUrl: from.href, toUrl: location.url, status: response.status });
    this.#url = location.url;
    if (location.fault) throw location.fault;
    const { maxRedirects = MAX_REDIRECTS_DEFAULT, allowDowngrade = false } = this.#request;
    if (this.#redirects.length > maxRedirects) {
      throw new SondeError('redirect_limit', `more than ${maxRedirects} redirects`);
    }
    const target = this.#judge(location.url, from);
    if (from.protocol === 'https:' && !target.secure && !allowDowngrade) {
      throw new SondeError('redirect_downgrade', `a redirect from https to http, to ${target.url.origin}`);
    }
    return target;
  }

  #refuseLoop(method: string, url: URL): void {
    if (this.#visited.has(`${method} ${url.href}`)) {
      throw new SondeError('redirect_loop', `a redirect back to ${url.origin}${url.pathname}`);
    }
  }
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

function readMethod(method: string): string {
  const upper = method.toUpperCase();
  if (METHODS.has(upper)) return upper;
  throw new SondeError(
    'INVALID_REQUEST',
    `method ${JSON.stringify(method)} is not one of ${[...METHODS].join(', ')}`,
  );
}
