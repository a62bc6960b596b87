/**
 * The server's open connections and the answers running on each, for three jobs that Node leaves open:
 * closing what is idle at once when a stop begins (also connections that never finished a request head),
 * telling running answers to be the last of their connection, and writing an error only between answers.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export class Connections {
  readonly #running = new Map<Socket, Set<ServerResponse>>();
  #draining = false;
  #answers = 0;
  #onQuiet: () => void = () => {};

  constructor(server: Server) {
    server.on('connection', (socket) => this.#opened(socket));
    server.on('request', (request, response) => this.#started(request, response));
  }

  get size(): number {
    return this.#running.size;
  }

  /**
   * Runs `act`, which ends the connection, once no answer is being written on the socket. One that has not begun and
   * whose request is not whole yet is not waited for: what it waits for comes no more.
   */
  whenQuiet(socket: Socket, act: () => void): void {
    const answers = [...(this.#running.get(socket) ?? [])];
    const answer = answers.find(({ req, headersSent }) => req.complete || headersSent);
    if (answer === undefined) act();
    else answer.once('close', () => this.whenQuiet(socket, act));
  }

  get draining(): boolean {
    return this.#draining;
  }

  /** Resolves when no response is running; for a drain, during which new requests are refused at once. */
  quiet(): Promise<void> {
    if (this.#answers === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onQuiet = resolve;
    });
  }

  /** From now on a connection closes with its last response; idle ones close now. */
  drain(): void {
    this.#draining = true;
    for (const [socket, answers] of this.#running) {
      for (const answer of answers) answer.shouldKeepAlive = false;
      if (answers.size === 0) socket.destroy();
    }
  }

  #opened(socket: Socket): void {
    this.#running.set(socket, new Set());
    socket.once('close', () => this.#running.delete(socket));
  }

  #started({ socket }: IncomingMessage, answer: ServerResponse): void {
    const answers = this.#running.get(socket);
    if (answers === undefined) return;
    answers.add(answer);
    this.#answers++;
    if (this.#draining) answer.shouldKeepAlive = false;
    answer.once('close', () => {
      answers.delete(answer);
      if (--this.#answers === 0) this.#onQuiet();
      // An answer whose headers went out before the drain began promised to keep the connection.
      if (this.#draining && answers.size === 0) socket.end();
    });
  }
}
