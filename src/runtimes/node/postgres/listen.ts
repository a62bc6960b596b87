/**
 * A separate connection that listens on a channel. It reconnects after a failure until it is stopped, and then notifies
 * the listener that notifications may have been lost.
 */
import pg from 'pg';
import type { Log } from '../../../log.js';
import type { PgDatabase } from '../../../stores/postgres/pg-database.js';
import { destroyClient, PgConnections } from './pg-client.js';
import { toDatabaseError } from './pg-faults.js';

export interface ListenOptions {
  readonly config: pg.ClientConfig;
  readonly channel: string;
  readonly listener: Parameters<PgDatabase['listen']>[1];
  readonly log: Log;
}

const WAIT_MS = { first: 50, max: 2_000 } as const;

export async function listenOn(options: ListenOptions): Promise<() => Promise<void>> {
  const subscription = new Subscription(options);
  await subscription.start();
  return async () => subscription.stop();
}

class Subscription {
  readonly #options: ListenOptions;
  readonly #Client = new PgConnections().clientClass();
  #client: pg.Client | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waitMs: number = WAIT_MS.first;
  #stopped = false;

  constructor(options: ListenOptions) {
    this.#options = options;
  }

  /** A database that is unavailable at the start is not an error, because notifications are only hints. */
  async start(): Promise<void> {
    await this.#connect().catch((error: unknown) => this.#reconnect(error));
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    if (this.#client) destroyClient(this.#client);
  }

  async #connect(): Promise<void> {
    const { config, channel, listener } = this.#options;
    const client = new this.#Client(config);
    this.#client = client;
    client.on('notification', ({ payload = '' }) => listener.onPayload(payload));
    client.on('error', (error) => this.#reconnect(error, client));
    client.on('end', () => this.#reconnect(new Error('the connection ended'), client));
    await client.connect();
    await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    this.#waitMs = WAIT_MS.first;
  }

  #reconnect(error: unknown, client = this.#client): void {
    if (this.#stopped || client === undefined || client !== this.#client) return;
    this.#client = undefined;
    this.#options.log.debug('the connection for notifications was lost', {
      code: toDatabaseError(error).code,
    });
    destroyClient(client);
    this.#timer = setTimeout(() => this.#tryAgain(), this.#waitMs * (0.5 + Math.random()));
    this.#waitMs = Math.min(this.#waitMs * 2, WAIT_MS.max);
  }

  #tryAgain(): void {
    this.#connect().then(
      () => this.#options.listener.onGap(),
      (error: unknown) => this.#reconnect(error),
    );
  }
}
