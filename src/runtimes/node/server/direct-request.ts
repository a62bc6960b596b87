/**
 * The direct path to streams on Node: from the parsed request straight to the operation and back, without the
 * web-standard objects in between, which cost more than an append does. It handles only what it can handle exactly like
 * the app; a request that is not allowed, has no declared length, carries a trace or is for anything else goes to the
 * app (`docs/decisions/0004-streams-direct.md` has the numbers).
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AppDeps } from '../../../api/app-env.js';
import { bearerOf } from '../../../api/auth/shown-credential.js';
import { createCorsHeaders } from '../../../api/middleware/cors.js';
import { errorBody, errorHeaders, internalError } from '../../../api/middleware/error-response.js';
import { type PublicOrigin, readPublicOrigin } from '../../../api/middleware/public-origin.js';
import { requestIdOf } from '../../../api/middleware/request-context.js';
import { NO_PAGE_HEADERS, SECURITY_HEADERS } from '../../../api/middleware/security-headers.js';
import {
  idOfNamedPath,
  STREAM_OPERATIONS,
  STREAM_PREFIX,
  streamIdOfPath,
} from '../../../api/routes/stream-operations.js';
import { starterOf, uncompressed } from '../../../api/routes/stream-response.js';
import { SondeError } from '../../../errors.js';
import { joinHeaders } from '../../../join-headers.js';
import { includesScope } from '../../../scopes.js';
import type { StreamCall, StreamResponse, StreamService } from '../../../streams/index.js';
import { tryUrl } from '../../../try-url.js';
import type { DirectListener } from './open-http-server.js';
import { peerAddressOf } from './peer-address.js';
import { openSink } from './response-sink.js';

type Deps = Pick<
  AppDeps,
  'authenticator' | 'corsOrigins' | 'limits' | 'meter' | 'clock' | 'log' | 'publicUrl' | 'trustedPeer'
> & { readonly streams: StreamService };

const RESERVED = `${STREAM_PREFIX}__ds`;
const ROUTE = `${STREAM_PREFIX}*`;
/** Paths that every URL parser leaves as they are: no dot segments, nothing to escape. */
const PLAIN_PATH = /^(?:[\w.~!$&'()*+,;=:@/-]|%[0-9a-f]{2})+$/i;
const DOTS = /\/(?:\.|%2e){1,2}(?:\/|$)/i;
const PLAIN_HOST = /^[a-z0-9.:[\]_-]+$/i;

export function createStreamListener(deps: Deps): DirectListener {
  const shared: Shared = {
    ...deps,
    publicOriginOf: createPublicOriginReader(deps),
    corsHeaders: createCorsHeaders(deps.corsOrigins),
  };
  return (incoming, outgoing) => {
    const { url = '', headers } = incoming;
    if (!url.startsWith(STREAM_PREFIX) || url.startsWith(RESERVED) || headers.traceparent !== undefined)
      return undefined;
    if (!hasPlainBody(incoming, deps.limits.bodyBytesMax)) return undefined;
    return new DirectRequest(shared, incoming, outgoing).answer();
  };
}

interface Shared extends Deps {
  /** Undefined if the request URL is not valid; the app reports it. */
  publicOriginOf(incoming: IncomingMessage): PublicOrigin | undefined;
  corsHeaders(origin: string | undefined): Readonly<Record<string, string>>;
}

export const HOSTS_KEPT = 100;

/** Where no proxy is believed, the view from outside depends on the Host alone: it is made once for each. */
export function createPublicOriginReader(
  deps: Pick<Deps, 'publicUrl' | 'trustedPeer'>,
): Shared['publicOriginOf'] {
  const known = new Map<string, PublicOrigin>();
  return (incoming) => {
    const host = incoming.headers.host ?? '';
    const peerAddress = peerAddressOf(incoming);
    const believed = peerAddress !== undefined && deps.trustedPeer(peerAddress);
    const kept = believed ? undefined : known.get(host);
    if (kept) return kept;
    if (!PLAIN_HOST.test(host) || !tryUrl(`http://${host}/`)) return undefined;
    const header = (name: string) => headerOf(incoming, name);
    const publicOrigin = readPublicOrigin({ url: `http://${host}/`, peerAddress, header }, deps);
    if (!believed && known.size < HOSTS_KEPT) known.set(host, publicOrigin);
    return publicOrigin;
  };
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.join(', ');
}

/** No body, or one with a declared length that is allowed. */
function hasPlainBody({ method, headers }: IncomingMessage, bytesMax: number): boolean {
  if (headers['transfer-encoding'] !== undefined || headers.expect !== undefined) return false;
  const length = headers['content-length'];
  if (method === 'GET' || method === 'HEAD') return length === undefined || length === '0';
  if (length === undefined) return method !== 'PUT' && method !== 'POST';
  return Number(length) <= bytesMax;
}

class DirectRequest {
  readonly #shared: Shared;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  readonly #path: string;
  readonly #query: string;

  constructor(shared: Shared, incoming: IncomingMessage, outgoing: ServerResponse) {
    this.#shared = shared;
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    const [path = '', query = ''] = splitOnce(incoming.url ?? '', '?');
    this.#path = path;
    this.#query = query;
  }

  async answer(): Promise<boolean> {
    const { streams, meter, clock, publicOriginOf } = this.#shared;
    const { method = '' } = this.#incoming;
    const operation = STREAM_OPERATIONS.get(method);
    const publicOrigin = publicOriginOf(this.#incoming);
    if (!operation || !publicOrigin || !PLAIN_PATH.test(this.#path) || DOTS.test(this.#path)) return false;
    const tenant = await this.#tenantWith(operation.scope, publicOrigin);
    if (tenant === undefined) return false;
    const startedAt = clock();
    meter.started();
    let answer: StreamResponse;
    try {
      answer = await operation.run(streams, this.#call(tenant, publicOrigin));
    } catch (thrown) {
      answer = this.#failed(thrown);
    }
    this.#write(answer);
    meter.ended({ method, route: ROUTE, status: answer.status, seconds: (clock() - startedAt) / 1000 });
    return true;
  }

  async #tenantWith(
    scope: 'stream:read' | 'stream:write',
    publicOrigin: PublicOrigin,
  ): Promise<string | undefined> {
    try {
      const { tenant, scopes } = await this.#shared.authenticator.authenticate({
        bearer: bearerOf(headerOf(this.#incoming, 'authorization') ?? null),
        method: this.#incoming.method ?? '',
        urlHost: this.#incoming.headers.host ?? '',
        path: this.#path,
        ownOrigins: publicOrigin.ownOrigins,
        headers: { get: (name) => headerOf(this.#incoming, name) ?? null },
      });
      return tenant !== null && includesScope(scopes, scope) ? tenant : undefined;
    } catch {
      return undefined;
    }
  }

  #call(tenant: string, { base }: PublicOrigin): StreamCall {
    const incoming = this.#incoming;
    const outgoing = this.#outgoing;
    return {
      id: streamIdOfPath(tenant, this.#path),
      url: base + this.#path,
      query: this.#query === '' ? NO_QUERY : new URLSearchParams(this.#query),
      header: (name) => headerOf(incoming, name) || null,
      body: () => readBody(incoming),
      idOfPath: (path) => idOfNamedPath(tenant, path),
      // Made only for the few calls that wait.
      get signal() {
        const gone = new AbortController();
        outgoing.once('close', () => gone.abort());
        return gone.signal;
      },
    };
  }

  #failed(thrown: unknown): StreamResponse {
    const requestId = this.#requestId();
    const error = thrown instanceof SondeError ? thrown : internalError(thrown, requestId);
    if (error.facts.status === 500) {
      this.#shared.log.error('request failed', { code: error.code, requestId, err: error.cause ?? error });
    }
    return { status: error.facts.status, headers: {}, error };
  }

  #requestId(): string {
    return requestIdOf(headerOf(this.#incoming, 'x-request-id'));
  }

  #write({ status, headers, body, error }: StreamResponse): void {
    const all = joinHeaders(
      headers,
      { 'X-Request-Id': this.#requestId() },
      FULL_HEADERS,
      this.#shared.corsHeaders(this.#incoming.headers.origin),
    );
    const isHead = this.#incoming.method === 'HEAD';
    if (error) {
      const json = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
      Object.assign(all, json, errorHeaders(error));
      return this.#end(status, all, isHead ? undefined : Buffer.from(JSON.stringify(errorBody(error))));
    }
    if (!body || isHead) return this.#end(status, all, undefined);
    if (body.kind === 'bytes') return this.#end(status, all, body.bytes);
    if (body.kind === 'pieces') all['Content-Length'] = String(body.length);
    return starterOf(body)(openSink(this.#outgoing, { status, headers: uncompressed(all) }));
  }

  #end(status: number, headers: Record<string, string>, bytes: Uint8Array | undefined): void {
    // 204 and 304 have no length, and HEAD's would be that of a body which was not made.
    if (bytes || (status !== 204 && status !== 304 && this.#incoming.method !== 'HEAD')) {
      headers['Content-Length'] = String(bytes?.length ?? 0);
    }
    this.#outgoing.writeHead(status, headers);
    this.#outgoing.end(bytes);
    if (!this.#incoming.complete) this.#incoming.resume();
  }
}

/** Operations only read it. */
const NO_QUERY = new URLSearchParams();
const FULL_HEADERS = { ...NO_PAGE_HEADERS, ...SECURITY_HEADERS };

function splitOnce(text: string, at: string): string[] {
  const index = text.indexOf(at);
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)];
}

function readBody(incoming: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let ended = false;
    // Every request closes, most of them after their end: an error, with its stack, is made only for the others.
    const broken = (cause?: Error) => {
      if (!ended) reject(new SondeError('INVALID_REQUEST', 'the body broke off', { cause }));
    };
    incoming.on('data', (piece: Buffer) => pieces.push(piece));
    incoming.on('end', () => {
      ended = true;
      resolve(pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces));
    });
    incoming.on('error', broken);
    incoming.on('close', () => broken());
  });
}
