/**
 * The server's open connections and the responses running on each, for four jobs that Node leaves open: closing idle
 * connections as soon as a stop begins (also those that never finished a request head), making running responses the
 * last of their connection, writing an error only between responses, and running pipelined requests in order.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export class Connections {
  readonly #running = new Map<Socket, Set<ServerResponse>>();
  #draining = false;

  constructor(server: Server) {
    server.on('connection', (socket) => this.#opened(socket));
    server.on('request', (request, response) => this.#started(request, response));
  }

  get size(): number {
    return this.#running.size;
  }

  /**
   * Runs `act`, which ends the connection, once no response is being written on the socket. One that has not begun and
   * whose request is not whole yet is not waited for: what it waits for comes no more.
   */
  whenQuiet(socket: Socket, act: () => void): void {
    const responses = [...(this.#running.get(socket) ?? [])];
    const response = responses.find(({ req, headersSent }) => req.complete || headersSent);
    if (response === undefined) act();
    else response.once('close', () => this.whenQuiet(socket, act));
  }

  /**
   * When a request may run that was sent before the responses to earlier ones on its connection; undefined if it may at
   * once. Only requests with safe methods run side by side (RFC 9112 §9.3.2).
   */
  turnOf({ method, socket }: IncomingMessage): Promise<unknown> | undefined {
    const running = this.#running.get(socket);
    if (running === undefined || running.size === 0) return undefined;
    const blocking = [...running].filter(({ req }) => !isSafe(method) || !isSafe(req.method));
    if (blocking.length === 0) return undefined;
    return Promise.all(blocking.map((response) => new Promise((resolve) => response.once('close', resolve))));
  }

  /** From now on a connection closes with its last response; idle ones close now. */
  drain(): void {
    this.#draining = true;
    for (const [socket, responses] of this.#running) {
      for (const response of responses) response.shouldKeepAlive = false;
      if (responses.size === 0) socket.destroy();
    }
  }

  #opened(socket: Socket): void {
    this.#running.set(socket, new Set());
    socket.once('close', () => this.#running.delete(socket));
  }

  #started({ socket }: IncomingMessage, response: ServerResponse): void {
    const responses = this.#running.get(socket);
    if (responses === undefined) return;
    responses.add(response);
    if (this.#draining) response.shouldKeepAlive = false;
    response.once('close', () => {
      responses.delete(response);
      // An response whose headers went out before the drain began promised to keep the connection.
      if (this.#draining && responses.size === 0) socket.end();
    });
  }
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

function isSafe(method = ''): boolean {
  return SAFE_METHODS.has(method);
}
