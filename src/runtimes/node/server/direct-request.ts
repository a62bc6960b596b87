/**
 * One request on the direct path (`direct-listener.ts`). It authenticates the caller, determines the public origin and
 * writes the response, by all rules of the app but without web-standard objects.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AppDeps } from '../../../api/app-env.js';
import type { Principal } from '../../../api/auth/principal.js';
import { createCorsHeaders, exposedOf } from '../../../api/middleware/cors.js';
import { errorBody, errorHeaders, internalError } from '../../../api/middleware/error-response.js';
import { type PublicOrigin, readPublicOrigin } from '../../../api/middleware/public-origin.js';
import { requestIdOf } from '../../../api/middleware/request-context.js';
import { NO_PAGE_HEADERS, SECURITY_HEADERS } from '../../../api/middleware/security-headers.js';
import { starterOf } from '../../../api/routes/stream-response.js';
import { SondeError } from '../../../errors.js';
import { joinHeaders } from '../../../join-headers.js';
import { untransformed } from '../../../no-transform.js';
import { includesScope, type TenantScope } from '../../../scopes.js';
import type { StreamResponse } from '../../../streams/index.js';
import { tryUrl } from '../../../try-url.js';
import { peerAddressOf } from './peer-address.js';
import { readBody } from './read-body.js';
import { openSink } from './response-sink.js';

export type DirectDeps = Pick<
  AppDeps,
  | 'authenticator'
  | 'corsOrigins'
  | 'limits'
  | 'rateLimiter'
  | 'meter'
  | 'clock'
  | 'log'
  | 'publicUrl'
  | 'trustedPeer'
  | 'demo'
>;

/** Paths that every URL parser leaves unchanged: no dot segments, nothing to escape. */
const PLAIN_PATH = /^(?:[\w.~!$&'()*+,;=:@/-]|%[0-9a-f]{2})+$/i;
const DOTS = /\/(?:\.|%2e){1,2}(?:\/|$)/i;
const PLAIN_HOST = /^[a-z0-9.:[\]_-]+$/i;

export interface SharedDeps extends DirectDeps {
  /** Undefined if the request URL is not valid; the app reports it. */
  publicOriginOf(incoming: IncomingMessage): PublicOrigin | undefined;
  corsHeaders(origin: string | undefined): Readonly<Record<string, string>>;
}

export function shareDeps(deps: DirectDeps): SharedDeps {
  return {
    ...deps,
    publicOriginOf: createPublicOriginReader(deps),
    corsHeaders: createCorsHeaders(deps.corsOrigins),
  };
}

export interface DirectOperation {
  readonly scope: TenantScope;
  readonly bearer: string | undefined;
  readonly route: string;
  /** Whether it counts against the caller's rate limit, because it makes this server send a request. */
  readonly isCounted: boolean;
  run(caller: DirectCaller): Promise<StreamResponse>;
}

export interface DirectCaller {
  readonly tenant: string;
  readonly principal: Principal;
  readonly publicOrigin: PublicOrigin;
}

export const HOSTS_KEPT = 100;

/** Without a trusted proxy, the public origin depends only on the Host header, so it is cached by host. */
export function createPublicOriginReader(
  deps: Pick<DirectDeps, 'publicUrl' | 'trustedPeer'>,
): SharedDeps['publicOriginOf'] {
  const known = new Map<string, PublicOrigin>();
  return (incoming) => {
    const host = incoming.headers.host ?? '';
    const peerAddress = peerAddressOf(incoming);
    const isTrusted = peerAddress !== undefined && deps.trustedPeer(peerAddress);
    const cached = isTrusted ? undefined : known.get(host);
    if (cached) return cached;
    if (!PLAIN_HOST.test(host) || !tryUrl(`http://${host}/`)) return undefined;
    const header = (name: string) => headerOf(incoming, name);
    const publicOrigin = readPublicOrigin({ url: `http://${host}/`, peerAddress, header }, deps);
    if (!isTrusted && known.size < HOSTS_KEPT) known.set(host, publicOrigin);
    return publicOrigin;
  };
}

export function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.join(', ');
}

/** Whether the request has no body, or one with an allowed Content-Length. */
export function hasPlainBody({ method, headers }: IncomingMessage, bytesMax: number): boolean {
  if (headers['transfer-encoding'] !== undefined || headers.expect !== undefined) return false;
  const length = headers['content-length'];
  if (method === 'GET' || method === 'HEAD') return length === undefined || length === '0';
  if (length === undefined) return method !== 'PUT' && method !== 'POST';
  return Number(length) <= bytesMax;
}

export class DirectRequest {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly path: string;
  readonly query: string;
  readonly #shared: SharedDeps;

  constructor(shared: SharedDeps, incoming: IncomingMessage, outgoing: ServerResponse) {
    this.#shared = shared;
    this.incoming = incoming;
    this.outgoing = outgoing;
    const [path = '', query = ''] = splitOnce(incoming.url ?? '', '?');
    this.path = path;
    this.query = query;
  }

  readonly header = (name: string): string | null => headerOf(this.incoming, name) || null;

  /** Returns false if the app must handle the request. */
  async respond(operation: DirectOperation): Promise<boolean> {
    const { meter, clock, publicOriginOf } = this.#shared;
    const { method = '' } = this.incoming;
    const publicOrigin = publicOriginOf(this.incoming);
    if (!publicOrigin || !PLAIN_PATH.test(this.path) || DOTS.test(this.path)) return false;
    const principal = await this.#principalWith(operation, publicOrigin);
    if (!principal) return false;
    const startedAt = clock();
    meter.started();
    const { tenant } = principal;
    const response = await this.#run(operation, { tenant, principal, publicOrigin });
    this.#write(response);
    const seconds = (clock() - startedAt) / 1000;
    meter.ended({ method, route: operation.route, status: response.status, seconds });
    return true;
  }

  async #run(operation: DirectOperation, caller: DirectCaller): Promise<StreamResponse> {
    try {
      if (!operation.isCounted) return await operation.run(caller);
      const address = caller.publicOrigin.clientAddress;
      const { headers, refusal } = this.#shared.rateLimiter.take({ principal: caller, address });
      const response = refusal ? responseOf(refusal) : await this.#actFor(caller, operation);
      return { ...response, headers: joinHeaders(response.headers, headers) };
    } catch (thrown) {
      return this.#failed(thrown);
    }
  }

  /** Outbound requests of the demo are sent on behalf of its tenant. */
  #actFor(caller: DirectCaller, operation: DirectOperation): Promise<StreamResponse> {
    const { demo } = this.#shared;
    return demo ? demo.actAs(caller.tenant, () => operation.run(caller)) : operation.run(caller);
  }

  async #principalWith(
    { scope, bearer }: DirectOperation,
    publicOrigin: PublicOrigin,
  ): Promise<(Principal & { readonly tenant: string }) | undefined> {
    try {
      const principal = await this.#shared.authenticator.authenticate({
        bearer,
        method: this.incoming.method ?? '',
        urlHost: this.incoming.headers.host ?? '',
        path: this.path,
        ownOrigins: publicOrigin.ownOrigins,
        headers: { get: this.header },
      });
      const { tenant, scopes } = principal;
      return tenant !== null && includesScope(scopes, scope) ? { ...principal, tenant } : undefined;
    } catch {
      return undefined;
    }
  }

  /** Aborted when the caller has left. Created only for the few calls that wait. */
  signal(): AbortSignal {
    const gone = new AbortController();
    this.outgoing.once('close', () => gone.abort());
    return gone.signal;
  }

  body(): Promise<Uint8Array> {
    return readBody(this.incoming);
  }

  #failed(thrown: unknown): StreamResponse {
    const requestId = this.#requestId();
    const error = thrown instanceof SondeError ? thrown : internalError(thrown, requestId);
    if (error.facts.status === 500) {
      this.#shared.log.error('request failed', { code: error.code, requestId, err: error.cause ?? error });
    }
    return responseOf(error);
  }

  #requestId(): string {
    return requestIdOf(headerOf(this.incoming, 'x-request-id'));
  }

  #write({ status, headers, body, error }: StreamResponse): void {
    const all = joinHeaders(
      headers,
      // An upstream response keeps the id that the upstream gave it.
      headers['x-request-id'] === undefined && { 'X-Request-Id': this.#requestId() },
      FULL_HEADERS,
      this.#shared.corsHeaders(this.incoming.headers.origin),
    );
    all['Access-Control-Expose-Headers'] = exposedOf(Object.keys(headers));
    const isHead = this.incoming.method === 'HEAD';
    if (error) {
      const json = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
      Object.assign(all, json, errorHeaders(error));
      return this.#end(status, all, isHead ? undefined : Buffer.from(JSON.stringify(errorBody(error))));
    }
    if (!body || isHead) return this.#end(status, all, undefined);
    if (body.kind === 'bytes') return this.#end(status, all, body.bytes);
    if (body.kind === 'pieces') all['Content-Length'] = String(body.length);
    return starterOf(body)(openSink(this.outgoing, { status, headers: untransformed(all) }));
  }

  #end(status: number, headers: Record<string, string>, bytes: Uint8Array | undefined): void {
    // 204 and 304 have no length, and for HEAD the length of the body is unknown.
    const mayHaveLength = bytes || (status !== 204 && status !== 304 && this.incoming.method !== 'HEAD');
    if (mayHaveLength && headers['content-length'] === undefined) {
      headers['Content-Length'] = String(bytes?.length ?? 0);
    }
    this.outgoing.writeHead(status, headers);
    this.outgoing.end(bytes);
    if (!this.incoming.complete) this.incoming.resume();
  }
}

function responseOf(error: SondeError): StreamResponse {
  return { status: error.facts.status, headers: {}, error };
}

const FULL_HEADERS = { ...NO_PAGE_HEADERS, ...SECURITY_HEADERS };

function splitOnce(text: string, at: string): string[] {
  const index = text.indexOf(at);
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)];
}
