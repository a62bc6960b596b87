/**
 * One request with its redirects, followed by hand: every hop goes through the whole policy again, under one
 * total deadline. A failing target is data, so this returns a result and never throws for one; it throws only
 * for a malformed header, which is the caller's fault. A refused hop stays in the chain.
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
  /** Leaves a content coding as it is, where the engine can. */
  readonly keepCoding?: boolean;
  readonly limits?: Partial<RequestLimits>;
  /** How many redirects are followed; one more is `redirect_limit`. 0 gives a redirect back as it came. */
  readonly maxRedirects?: number;
  /** Lets a redirect go from https to http. */
  readonly allowDowngrade?: boolean;
  readonly signal?: AbortSignal;
  /** Asked before a redirect is followed; if not, the response that redirects is the last one. */
  readonly mayFollow?: (to: URL) => boolean | Promise<boolean>;
  /** Called with every response head, the last one included, before its body is read. */
  readonly onResponse?: (url: URL, response: HopResponse) => void;
}

export interface RedirectHop {
  readonly fromUrl: string;
  readonly toUrl: string;
  readonly status: number;
}

interface OutboundOutcome {
  /** The URL of the last hop that was sent, or was refused. */
  readonly finalUrl: string;
  readonly redirects: readonly RedirectHop[];
  /** From the call to the last response head or the failure, over all hops. */
  readonly durationMs: number;
}

export type OutboundResult =
  | (OutboundOutcome & { readonly ok: true; readonly response: HopResponse })
  | (OutboundOutcome & { readonly ok: false; readonly error: SondeError });

export const MAX_REDIRECTS_DEFAULT = 10;
/** A redirect's body is of no use; a short one is read so that its socket can be kept. */
const REDIRECT_BODY_BYTES = 4096;

export async function followRedirects(egress: Egress, request: OutboundRequest): Promise<OutboundResult> {
  const run = new Run(egress, request);
  try {
    const response = await run.toTheEnd();
    return { ok: true, response, ...run.outcome() };
  } catch (thrown) {
    if (thrown instanceof SondeError && thrown.code === 'INVALID_REQUEST') throw thrown;
    return { ok: false, error: asSondeError(thrown, 'fetch_error'), ...run.outcome() };
  }
}

class Run {
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

  async toTheEnd(): Promise<HopResponse> {
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
      target = this.#follow(from, response);
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

  #follow(from: URL, response: HopResponse): Target {
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
