/**
 * The egress port on Node, with undici 7. There is one Agent for the default policy and one for allowed private
 * origins, so that a socket that was opened under the wider policy never carries a request under the narrower one.
 * Proxy environment variables have no effect, because undici's global dispatcher is never used.
 */
import { Readable } from 'node:stream';
import { Agent, Pool } from 'undici';
import { type Egress, HEADER_BYTES_MAX, type HopRequest } from '../../../net/index.js';
import { OFFERED_CODINGS } from './decoded-body.js';
import { Exchange } from './exchange.js';
import { GuardedClient, Line, type LineDeps, type LineDispatchOptions } from './line.js';

export interface NodeEgressOptions extends LineDeps {
  readonly userAgent: string;
  /** Sockets to one origin; further requests wait for one. */
  readonly connectionsPerOrigin?: number | undefined;
}

export function createNodeEgress(options: NodeEgressOptions): Egress {
  const { policy, userAgent } = options;
  const closed = createAgent(options);
  const opened = createAgent(options);
  return {
    assurance: 'pinned',
    policy,
    send(request) {
      const agent = request.target.lifted ? opened : closed;
      const exchange = new Exchange(request);
      const dispatch = dispatchOptions(exchange, userAgent);
      return exchange.start(() => agent.dispatch(dispatch, exchange));
    },
    async close() {
      await Promise.all([closed.destroy(), opened.destroy()]);
    },
  };
}

/** The exchange enforces deadlines and sizes; undici enforces only limits that its parser alone can check. */
const AGENT_OPTIONS = {
  pipelining: 1,
  headersTimeout: 0,
  bodyTimeout: 0,
  keepAliveTimeout: 4_000,
  keepAliveMaxTimeout: 10_000,
  maxHeaderSize: HEADER_BYTES_MAX,
  strictContentLength: true,
} as const;

function createAgent(deps: NodeEgressOptions): Agent {
  return new Agent({
    ...AGENT_OPTIONS,
    connections: deps.connectionsPerOrigin ?? 256,
    // Every client uses the connect function of its own line. No other connection is allowed.
    connect: (_options, callback) => callback(new Error('a connection outside a line'), null),
    factory: (origin, poolOptions) =>
      new Pool(origin, {
        ...poolOptions,
        factory: (clientOrigin, clientOptions) =>
          new GuardedClient(clientOrigin, clientOptions, new Line(deps)),
      }),
  });
}

function dispatchOptions(exchange: Exchange, userAgent: string): Agent.DispatchOptions & LineDispatchOptions {
  const { request } = exchange;
  const { url } = request.target;
  const headers: string[] = [];
  let missing = MISSING_ALL;
  for (const [name, value] of request.headers) {
    headers.push(name, value);
    missing &= ~(DEFAULTED[name] ?? 0);
  }
  const { body } = request;
  if (body && !(body instanceof Uint8Array) && body.byteLength !== undefined)
    headers.push('content-length', String(body.byteLength));
  if (missing & MISSING_USER_AGENT) headers.push('user-agent', userAgent);
  if (missing & MISSING_ACCEPT) headers.push('accept', '*/*');
  if (missing & MISSING_CODINGS) headers.push('accept-encoding', OFFERED_CODINGS);
  return {
    origin: url.origin,
    path: url.pathname + url.search,
    method: request.method as Agent.DispatchOptions['method'],
    headers,
    body: bodyOf(request),
    exchange,
  };
}

/** undici accepts any async iterable, but its types name only Node's streams. */
function bodyOf({ body }: HopRequest): Uint8Array | Readable | null {
  if (body === undefined) return null;
  return body instanceof Uint8Array ? body : Readable.from(body, { objectMode: false });
}

const MISSING_USER_AGENT = 1;
const MISSING_ACCEPT = 2;
const MISSING_CODINGS = 4;
const MISSING_ALL = 7;
const DEFAULTED: Readonly<Record<string, number>> = {
  'user-agent': MISSING_USER_AGENT,
  accept: MISSING_ACCEPT,
  'accept-encoding': MISSING_CODINGS,
};
