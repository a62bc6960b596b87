/**
 * Opens an HTTP server with limits on the head size, the time for head and request, idle time and connections. Refused
 * requests get coded JSON responses. Stopping is limited too: during the drain, running responses may finish and new
 * requests get 503; then all remaining connections are closed.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { HostBindings } from '../../../api/app-env.js';
import { SondeError } from '../../../errors.js';
import { errorBody, errorHeaders } from '../../../kernel/reply.js';
import { transferCodingFault } from '../../../kernel/transfer-coding.js';
import type { Log } from '../../../log.js';
import { Connections } from './connections.js';
import type { NodeDoor } from './node-door.js';
import { peerAddressOf } from './peer-address.js';
import { fromClientError, rawErrorHeaders, rawErrorResponse } from './raw-error.js';
import { RequestTurns } from './request-turns.js';

export interface HttpLimits {
  readonly headerBytesMax: number;
  readonly headMs: number;
  /** The time for the whole request to arrive. The time of a response is not limited. */
  readonly requestMs: number;
  /** Longer than the usual 60 s of load balancers, so that they close idle connections first. */
  readonly idleMs: number;
  readonly connectionsMax: number;
  /** How often Node checks for late requests. */
  readonly checkEveryMs: number;
}

export const DEFAULT_HTTP_LIMITS: Omit<HttpLimits, 'headerBytesMax' | 'connectionsMax'> = {
  headMs: 15_000,
  requestMs: 300_000,
  idleMs: 65_000,
  checkEveryMs: 2_000,
};

/** How long a refused client may take to read the response before the socket is destroyed. */
const LINGER_MS = 500;

export interface HttpServerOptions {
  readonly host: string;
  readonly port: number;
  readonly limits: HttpLimits;
  readonly log: Log;
  readonly fetch: (request: Request, bindings: HostBindings) => Response | Promise<Response>;
  /** Handles the operations that it knows; all other requests go to `fetch`. */
  readonly door?: NodeDoor;
}

export interface HttpServer {
  readonly address: AddressInfo;
  readonly connections: Connections;
  stop(drain: Drain): Promise<{ drained: boolean }>;
}

export interface Drain {
  readonly drainMs: number;
  /** Resolves when no background work is left that a stop should wait for. */
  quiet(): Promise<void>;
}

export async function openHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { server, connections } = createNodeServer(options);
  respondToClientErrors(server, connections, options.limits);
  const address = await listen(server, options);
  server.on('error', (error) => options.log.error('server error', { err: error }));
  return { address, connections, stop: (drain) => stop(server, connections, drain) };
}

function createNodeServer({ limits, fetch, door, log }: HttpServerOptions) {
  // The listener replaces the global Request and Response with lazy ones, which handle small requests a fifth
  // faster. As a side effect, results of `fetch` are no longer `instanceof Response` in this process.
  const listener = getRequestListener((request, { incoming }) => fetch(request, bindingsOf(incoming)), {
    errorHandler: (thrown) => respondToListenerError(thrown, log),
  });
  const turns = new RequestTurns();
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytesMax,
      headersTimeout: limits.headMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.idleMs,
      connectionsCheckingInterval: limits.checkEveryMs,
      // The listener checks this instead, and refuses with a coded response.
      requireHostHeader: false,
    },
    async (request, response) => {
      try {
        if (connections.draining) return refuseStopping(response);
        if (connections.refuses(request)) return refuseBusy(response);
        const turn = connections.turnOf(request);
        if (turn !== undefined) await turn;
        const start = turns.next();
        if (start !== undefined) await start;
        if (response.destroyed) return;
        const fault = framingFault(request);
        if (fault) return refuse(response, fault);
        await (door?.(request, response) ?? listener(request, response));
      } catch (error) {
        log.error('request failed outside the app', { err: error });
        response.destroy();
      }
    },
  );
  const connections = new Connections(server, limits.connectionsMax);
  return { server, connections };
}

const STOPPING_RETRY_SECONDS = '1';

function refuseStopping(response: ServerResponse): void {
  const error = new SondeError('SERVER_STOPPING', 'The server is stopping; try again soon.');
  refuse(response, error, { 'Retry-After': STOPPING_RETRY_SECONDS });
}

function refuseBusy(response: ServerResponse): void {
  const error = new SondeError('SERVER_BUSY', 'The server is at its connection limit; try again.');
  refuse(response, error, errorHeaders(error));
}

function refuse(response: ServerResponse, error: SondeError, headers: Record<string, string> = {}): void {
  response.writeHead(error.facts.status, { ...rawErrorHeaders(), ...headers, Connection: 'close' });
  response.end(JSON.stringify(errorBody(error)));
}

function framingFault(request: IncomingMessage): SondeError | undefined {
  if (hasSeveralHosts(request))
    return new SondeError('INVALID_REQUEST', 'The request has more than one Host header.');
  return transferCodingFault(request.headers['transfer-encoding']);
}

/** RFC 9112 section 3.2. Two parsers may see different hosts in such a request, so it is refused. */
function hasSeveralHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

function bindingsOf(incoming: Pick<IncomingMessage, 'socket' | 'complete'>): HostBindings {
  const peerAddress = peerAddressOf(incoming);
  return { ...(peerAddress !== undefined && { peerAddress }), isWhole: () => incoming.complete };
}

function respondToListenerError(thrown: unknown, log: Log): Response {
  const refused = thrown instanceof RequestError;
  if (!refused) log.error('request failed outside the app', { err: thrown });
  const error = refused
    ? new SondeError('INVALID_REQUEST', 'The request target or the Host header is not valid.', {
        cause: thrown,
      })
    : new SondeError('INTERNAL', 'The server failed to handle this request.', { cause: thrown });
  return new Response(JSON.stringify(errorBody(error)), {
    status: error.facts.status,
    headers: rawErrorHeaders(),
  });
}

function respondToClientErrors(
  server: Server,
  connections: Connections,
  { headerBytesMax }: HttpLimits,
): void {
  server.on('clientError', (thrown: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Socket) => {
    const response = rawErrorResponse(fromClientError(thrown.code, headerBytesMax), thrown.rawPacket);
    connections.whenQuiet(socket, () => {
      if (thrown.code === 'ECONNRESET' || !socket.writable) {
        socket.destroy();
        return;
      }
      // Closing with unread input would reset the connection before the client has read the response.
      socket.end(response);
      socket.resume();
      setTimeout(() => socket.destroy(), LINGER_MS).unref();
    });
  });
}

function listen(server: Server, { host, port }: HttpServerOptions): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(listenFailed(cause, host, port)));
    server.listen({ host, port }, () => {
      server.removeAllListeners('error');
      resolve(server.address() as AddressInfo);
    });
  });
}

const LISTEN_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is already in use',
  EACCES: 'permission denied; ports below 1024 usually need more privileges',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'the host name does not resolve',
};

function listenFailed(cause: NodeJS.ErrnoException, host: string, port: number): SondeError {
  const fault = LISTEN_FAULTS[cause.code ?? ''] ?? 'the operating system refused';
  return new SondeError('LISTEN_FAILED', `Cannot listen on ${host} port ${port}: ${fault}.`, {
    cause,
    details: { host, port },
  });
}

async function stop(
  server: Server,
  connections: Connections,
  { drainMs, quiet }: Drain,
): Promise<{ drained: boolean }> {
  connections.drain();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), drainMs);
  });
  // Requests first, because one whose body is still arriving may start background work.
  const done = connections
    .quiet()
    .then(quiet)
    .then(() => true);
  const drained = await Promise.race([done, late]);
  clearTimeout(timer);
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
  return { drained };
}
