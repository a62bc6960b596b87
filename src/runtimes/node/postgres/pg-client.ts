/**
 * The connections of one database handle. Each has an error listener from its first moment to its last: an error
 * on a connection fails the statement that is under way, if there is one, and never the process. A handshake that
 * stalls is aborted, and every sign of life is noted, to distinguish a slow database from a stalled one.
 */
import pg from 'pg';
import { NoResponse } from './pg-faults.js';

/** How long the database may be silent before it counts as unavailable. */
export const SILENCE_MS = 5_000;

/** Messages of the handshake; accepting the connection is no sign of life, since a frozen server does that too. */
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

  /** By the process's monotonic clock. */
  get lastReceivedAt(): number {
    return this.#lastReceivedAt;
  }

  /** The database has responded on one of the connections. */
  noteSign(): void {
    this.#lastReceivedAt = performance.now();
  }

  /** For the driver's pool, which makes its clients itself. */
  clientClass(): new (config?: pg.ClientConfig) => pg.Client {
    const connections = this;
    return class WatchedClient extends pg.Client {
      constructor(config?: pg.ClientConfig) {
        super(config);
        connections.#watch(this);
      }
    };
  }

  /** Breaks what is still open, without waiting for a server that may not respond. */
  destroy(): void {
    for (const client of this.#open) destroyClient(client);
  }

  #watch(client: pg.Client): void {
    this.#open.add(client);
    // With a cause, so that a stalled database is not reported as one that cannot be reached.
    const giveUp = () => destroyClient(client, new NoResponse(SILENCE_MS));
    let silence = setTimeout(giveUp, SILENCE_MS);
    const done = () => {
      clearTimeout(silence);
      this.#open.delete(client);
    };
    // The statement under way fails by itself; an error while there is none has no statement to fail.
    client.on('error', done);
    client.on('end', done);
    for (const message of HANDSHAKE) {
      client.connection.on(message, () => {
        this.noteSign();
        clearTimeout(silence);
        silence = setTimeout(giveUp, SILENCE_MS);
      });
    }
    client.on('connect', () => {
      this.noteSign();
      clearTimeout(silence);
    });
  }
}

/** At once: a polite end waits for a server that may be frozen. */
export function destroyClient(client: pg.Client, cause?: Error): void {
  client.connection.stream.destroy(cause);
}
