/**
 * A connection of its own that listens on a channel. When it breaks it is made anew, for as long as it is wanted,
 * and the listener is told that notifications may have been lost.
 */
import pg from 'pg';
import type { Log } from '../../../log.js';
import type { PgDatabase } from '../../../stores/postgres/pg-database.js';
import { toDatabaseError } from './pg-faults.js';

export interface ListenOptions {
  readonly config: pg.ClientConfig;
  readonly channel: string;
  readonly listener: Parameters<PgDatabase['listen']>[1];
  readonly log: Log;
}

const WAIT_MS = { first: 50, max: 2_000 } as const;

export async function listenOn(options: ListenOptions): Promise<() => Promise<void>> {
  const line = new Listening(options);
  await line.start();
  return () => line.stop();
}

class Listening {
  readonly #options: ListenOptions;
  #client: pg.Client | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waitMs: number = WAIT_MS.first;
  #stopped = false;

  constructor(options: ListenOptions) {
    this.#options = options;
  }

  /** A database that is away at the start is waited for like one that goes later: it is only a hint. */
  async start(): Promise<void> {
    await this.#connect().catch((error: unknown) => this.#lost(error));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#client?.end().catch(() => undefined);
  }

  async #connect(): Promise<void> {
    const { config, channel, listener } = this.#options;
    const client = new pg.Client(config);
    this.#client = client;
    client.on('notification', ({ payload = '' }) => listener.onPayload(payload));
    client.on('error', (error) => this.#lost(error, client));
    client.on('end', () => this.#lost(new Error('the connection ended'), client));
    await client.connect();
    await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    this.#waitMs = WAIT_MS.first;
  }

  #lost(error: unknown, client = this.#client): void {
    if (this.#stopped || client !== this.#client || this.#client === undefined) return;
    this.#client = undefined;
    this.#options.log.debug('the connection for notifications broke', { code: toDatabaseError(error).code });
    void client?.end().catch(() => undefined);
    this.#timer = setTimeout(() => this.#again(), this.#waitMs * (0.5 + Math.random()));
    this.#waitMs = Math.min(this.#waitMs * 2, WAIT_MS.max);
  }

  #again(): void {
    this.#connect().then(
      () => this.#options.listener.onGap(),
      (error: unknown) => this.#lost(error),
    );
  }
}
