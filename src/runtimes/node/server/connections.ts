/**
 * The server's open connections and their running responses, for five things that Node does not do: closing idle
 * connections when a stop begins (also those without a complete request head), making running responses the last of
 * their connection, writing an error only between responses, running pipelined requests in order, and limiting
 * connections. At the limit, a new connection replaces the one that has been idle longest; if none is idle, it gets one
 * response. Reads may last long, so they must leave a tenth of the connections free.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Reads leave one in this many connections free. */
const KEPT_FROM_READS = 10;
/** One in this many connections is accepted beyond the limit, to respond that the server is busy. */
const SURPLUS = 20;

/** Health probes must succeed on a busy server. */
const PROBES = new Set(['/api/health', '/api/ready']);

export class Connections {
  readonly #running = new Map<Socket, Set<ServerResponse>>();
  /** The connection that has been idle longest comes first. */
  readonly #idle = new Set<Socket>();
  readonly #max: number;
  readonly #readsMax: number;
  #reads = 0;
  #refused = 0;
  #draining = false;
  #count = 0;
  #onQuiet: () => void = () => {};

  constructor(server: Server, max: number) {
    this.#max = max;
    this.#readsMax = max - Math.ceil(max / KEPT_FROM_READS);
    server.maxConnections = max + Math.ceil(max / SURPLUS);
    server.on('connection', (socket) => this.#opened(socket));
    server.on('request', (request, response) => this.#started(request, response));
  }

  get size(): number {
    return this.#running.size;
  }

  get byKind(): { readonly read: number; readonly other: number; readonly idle: number } {
    const idle = this.#idle.size;
    return { read: this.#reads, other: Math.max(0, this.size - idle - this.#reads), idle };
  }

  get refused(): number {
    return this.#refused;
  }

  /** Whether there is no room for the request. Call it before the request runs. */
  refuses({ method, url = '' }: IncomingMessage): boolean {
    const isFull = this.size > this.#max || (isRead(method) && this.#reads >= this.#readsMax);
    if (!isFull || PROBES.has(url.split('?', 1)[0] ?? '')) return false;
    this.#refused++;
    return true;
  }

  /**
   * Runs `act`, which ends the connection, once no response is being written on the socket. It does not wait for a
   * response that has not started and whose request is incomplete, because the rest will not arrive.
   */
  whenQuiet(socket: Socket, act: () => void): void {
    const responses = [...(this.#running.get(socket) ?? [])];
    const response = responses.find(({ req, headersSent }) => req.complete || headersSent);
    if (response === undefined) act();
    else response.once('close', () => this.whenQuiet(socket, act));
  }

  get draining(): boolean {
    return this.#draining;
  }

  /** Resolves when no response is running. Used during a drain, when new requests are refused at once. */
  quiet(): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onQuiet = resolve;
    });
  }

  /**
   * When a pipelined request may run; undefined if it may run at once. Only requests with safe methods run concurrently
   * (RFC 9112 §9.3.2).
   */
  turnOf({ method, socket }: IncomingMessage): Promise<unknown> | undefined {
    const running = this.#running.get(socket);
    if (running === undefined || running.size === 0) return undefined;
    const blocking = [...running].filter(({ req }) => !isSafe(method) || !isSafe(req.method));
    if (blocking.length === 0) return undefined;
    return Promise.all(blocking.map((response) => new Promise((resolve) => response.once('close', resolve))));
  }

  /** From now on, a connection closes after its last response. Idle connections close now. */
  drain(): void {
    this.#draining = true;
    for (const [socket, responses] of this.#running) {
      for (const response of responses) response.shouldKeepAlive = false;
      if (responses.size === 0) socket.destroy();
    }
  }

  #opened(socket: Socket): void {
    if (this.size >= this.#max) {
      const [longestIdle] = this.#idle;
      longestIdle?.destroy();
    }
    this.#running.set(socket, new Set());
    this.#idle.add(socket);
    socket.once('close', () => {
      this.#running.delete(socket);
      this.#idle.delete(socket);
    });
  }

  #started({ socket, method }: IncomingMessage, response: ServerResponse): void {
    const responses = this.#running.get(socket);
    if (responses === undefined) return;
    responses.add(response);
    this.#idle.delete(socket);
    this.#count++;
    if (isRead(method)) this.#reads++;
    if (this.#draining) response.shouldKeepAlive = false;
    response.once('close', () => {
      responses.delete(response);
      if (isRead(method)) this.#reads--;
      if (responses.size === 0 && this.#running.has(socket)) this.#idle.add(socket);
      if (--this.#count === 0) this.#onQuiet();
      // A response whose headers were sent before the drain promised keep-alive.
      if (this.#draining && responses.size === 0) socket.end();
    });
  }
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

function isRead(method = ''): boolean {
  return method === 'GET';
}

function isSafe(method = ''): boolean {
  return SAFE_METHODS.has(method);
}
