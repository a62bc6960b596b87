/**
 * The connections of one database handle. Each always has an error listener, so that an error fails the running
 * statement, if there is one, but never the process. A stalled handshake is aborted. Every response is recorded, to
 * distinguish a slow database from a stalled one.
 */
import pg from 'pg';
import { NoResponse } from './pg-faults.js';

/** How long the database may be silent before it counts as unavailable. */
export const SILENCE_MS = 5_000;

/** Messages of the handshake. An accepted connection does not count, because a frozen server accepts it too. */
const HANDSHAKE = [
  'sslconnect',
  'authenticationOk',
  'authenticationCleartextPassword',
  'authenticationMD5Password',
  'authenticationSASL',
  'authenticationSASLContinue',
  'authenticationSASLFinal',
] as const;

export class PgConnections {
  readonly #open = new Set<pg.Client>();
  #lastReceivedAt = 0;

  /** By the monotonic clock of the process. */
  get lastReceivedAt(): number {
    return this.#lastReceivedAt;
  }

  /** Records that the database has responded on one of the connections. */
  noteResponse(): void {
    this.#lastReceivedAt = performance.now();
  }

  /** For the driver's pool, which creates its own clients. */
  clientClass(): new (config?: pg.ClientConfig) => pg.Client {
    const connections = this;
    return class WatchedClient extends pg.Client {
      constructor(config?: pg.ClientConfig) {
        super(config);
        connections.#watch(this);
      }
    };
  }

  /** Closes all open connections without waiting for a server that may not respond. */
  destroy(): void {
    for (const client of this.#open) destroyClient(client);
  }

  #watch(client: pg.Client): void {
    this.#open.add(client);
    // The cause distinguishes a stalled database from an unreachable one.
    const giveUp = () => destroyClient(client, new NoResponse(SILENCE_MS));
    let silence = setTimeout(giveUp, SILENCE_MS);
    const done = () => {
      clearTimeout(silence);
      this.#open.delete(client);
    };
    // A running statement fails by itself; without one, the error needs no further handling.
    client.on('error', done);
    client.on('end', done);
    for (const message of HANDSHAKE) {
      client.connection.on(message, () => {
        this.noteResponse();
        clearTimeout(silence);
        silence = setTimeout(giveUp, SILENCE_MS);
      });
    }
    client.on('connect', () => {
      this.noteResponse();
      clearTimeout(silence);
    });
  }
}

/** Closes the socket at once, because a regular end would wait for a server that may be frozen. */
export function destroyClient(client: pg.Client, cause?: Error): void {
  client.connection.stream.destroy(cause);
}
