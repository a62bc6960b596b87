/**
 * A wire between the program and PostgreSQL that stalls, delays, breaks, or loses one response. The test server listens
 * on a socket in a folder; this makes it reachable over TCP on loopback.
 */
import { connect, type Socket } from 'node:net';
import { listenTcp } from './listen.js';

export interface PgProxy {
  /** The URL of the same database, through the wire. */
  readonly url: string;
  /** Stops all traffic in both directions; connections are still accepted. */
  stall(): void;
  /** Lets everything that waited pass, and all later traffic. */
  resume(): void;
  /** Delays everything by this much, in each direction. */
  delay(ms: number): void;
  /** Breaks the next connection on which the program sends this text, after the server has responded to it. */
  loseResponseTo(text: string): void;
  /** Breaks every connection. */
  cut(): void;
  /** Returns the number of lost responses. */
  lost(): number;
  close(): Promise<void>;
}

export async function startPgProxy(databaseUrl: string): Promise<PgProxy> {
  const { pathname, searchParams } = new URL(databaseUrl.replace('postgres:///', 'postgres://x/'));
  const path = `${searchParams.get('host')}/.s.PGSQL.5432`;
  const wire = new Wire();
  const listening = await listenTcp((client) => wire.carry(client, connect(path)));
  return {
    url: `postgres://postgres@127.0.0.1:${listening.port}${pathname}`,
    stall: () => wire.stall(),
    resume: () => wire.resume(),
    delay: (ms) => {
      wire.delayMs = ms;
    },
    loseResponseTo: (text) => {
      wire.losing = text;
    },
    cut: () => wire.cut(),
    lost: () => wire.lost,
    async close() {
      wire.cut();
      await listening.close();
    },
  };
}

class Wire {
  readonly #sockets = new Set<Socket>();
  #held: (() => void)[] | undefined;
  delayMs = 0;
  losing: string | undefined;
  lost = 0;

  carry(client: Socket, server: Socket): void {
    let isLosing = false;
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        // A stalled wire does not even report that the other end has gone.
        this.#now(() => {
          client.destroy();
          server.destroy();
        });
      });
    }
    client.on('data', (data) => {
      if (this.losing !== undefined && data.includes(this.losing)) {
        this.losing = undefined;
        isLosing = true;
      }
      this.#pass(() => server.write(data));
    });
    server.on('data', (data) => {
      if (!isLosing) return this.#pass(() => client.write(data));
      this.lost++;
      client.destroy();
    });
  }

  stall(): void {
    this.#held ??= [];
  }

  resume(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const write of held) write();
  }

  cut(): void {
    this.resume();
    for (const socket of this.#sockets) socket.destroy();
  }

  #pass(write: () => void): void {
    if (this.delayMs > 0) setTimeout(() => this.#now(write), this.delayMs);
    else this.#now(write);
  }

  #now(write: () => void): void {
    if (this.#held) this.#held.push(write);
    else write();
  }
}
