import { afterEach, beforeEach, expect, vi } from 'vitest';
import { SondeError } from '../../src/errors.js';
import { nativeCipher } from '../../src/runtimes/node/server/native-cipher.js';
import { BatchRunner } from '../../src/runtimes/node/sqlite/batch-runner.js';
import { type OpenDatabase, openDatabase } from '../../src/runtimes/node/sqlite/open-database.js';
import type { StoreCall, StoreName } from '../../src/runtimes/node/sqlite/store-messages.js';
import { SqliteStreamStore } from '../../src/stores/sqlite/sqlite-stream-store.js';
import { SqliteSubscriptionStore } from '../../src/stores/sqlite/sqlite-subscription-store.js';
import {
  createSecretBox,
  type ReadTenantLimits,
  type StreamCall,
  StreamService,
  type StreamStore,
  type SubscriptionLimits,
  SubscriptionService,
  type SubscriptionStore,
  type WebhookCall,
} from '../../src/streams/index.js';
import { keepingLog, type LogLine } from './keeping-log.js';

/** The real services on a real database, with a function as the receiver and a manual clock. */
export class Bench {
  readonly database: OpenDatabase = openDatabase(':memory:');
  readonly lines: LogLine[] = [];
  readonly delivered: (Pick<WebhookCall, 'url' | 'headers' | 'signal'> & { body: Delivered })[] = [];
  receiver: (call: WebhookCall) => Promise<{ status: number; body: Uint8Array }> = async () => reply({});
  storeCalls = 0;
  boxSecret = 'a-secret-of-the-test';
  /** While set, every call of the subscription store fails. */
  storeFails = false;
  /** Run around each call of a store, to have something happen at exactly that point. */
  before: StoreHook | undefined;
  after: StoreHook | undefined;
  tenantLimits: ReadTenantLimits | undefined;
  readonly limits: Partial<SubscriptionLimits>;
  #runner: BatchRunner | undefined;
  /** Stops notifying the service of changes. */
  detach: () => void = () => {};
  streams: StreamService;
  service: SubscriptionService;

  constructor(limits: Partial<SubscriptionLimits> = {}) {
    this.limits = limits;
    this.streams = this.#openStreams();
    this.service = this.#openService();
  }

  async restart(): Promise<void> {
    await this.service.stop();
    await this.streams.stop();
    this.streams = this.#openStreams();
    this.service = this.#openService();
    await this.service.start();
    await settle();
  }

  #openStreams(): StreamService {
    this.#runner = new BatchRunner(this.database, {
      streams: new SqliteStreamStore(this.database),
      subscriptions: new SqliteSubscriptionStore(this.database),
    });
    return new StreamService({
      store: this.#port('streams') as StreamStore,
      objects: { put: async () => {}, get: async () => undefined, remove: async () => {} },
      log: keepingLog(this.lines),
      clock: Date.now,
    });
  }

  #openService(): SubscriptionService {
    const service = new SubscriptionService({
      store: this.#port('subscriptions') as SubscriptionStore,
      streams: this.streams,
      outbound: {
        refusal: (url) => (url.includes('refused') ? { rule: 'test', message: 'refused' } : undefined),
        deliver: (call) => {
          const body = JSON.parse(new TextDecoder().decode(call.body)) as Delivered;
          const { url, headers, signal } = call;
          this.delivered.push({ url, headers, signal, body });
          return this.receiver(call);
        },
      },
      signer: {
        publicJwk: { kty: 'OKP', crv: 'Ed25519', x: '', kid: 'ds_test', use: 'sig', alg: 'EdDSA' },
        sign: async () => new Uint8Array(64),
      },
      box: createSecretBox(this.boxSecret, 'test', nativeCipher),
      tokenKey: new Uint8Array(32).fill(1),
      log: keepingLog(this.lines),
      clock: Date.now,
      random: () => 0.999_999,
      limits: this.limits,
      ...(this.tenantLimits && { tenantLimits: this.tenantLimits }),
    });
    this.detach();
    this.detach = this.streams.onChanged(({ id }) => service.onStreamChanged(id));
    return service;
  }

  #countCall(): void {
    this.storeCalls++;
    if (this.storeFails) throw new SondeError('STORAGE_UNAVAILABLE', 'the store fails');
  }

  /** Returns a store's port without the thread. */
  #port(store: StoreName): unknown {
    const call =
      (method: string) =>
      async (...args: unknown[]) => {
        if (store === 'subscriptions') this.#countCall();
        if (this.before) await this.before({ store, method, args });
        const [result] = this.#runner?.run([{ store, method, args } as StoreCall]) ?? [];
        if (this.after) await this.after({ store, method, args });
        if (result && 'value' in result) return result.value;
        throw new SondeError('STORAGE_UNAVAILABLE', result?.fault.message ?? 'no result');
      };
    return new Proxy({}, { get: (_target, method) => call(String(method)) });
  }

  async append(path: string, text = '{"n":1}', tenant = 'acme'): Promise<string> {
    const call = streamCall(tenant, path, text);
    const made = await this.streams.create(call);
    const response = made.status === 201 ? made : await this.streams.append(call);
    await settle();
    return response.headers['Stream-Next-Offset'] ?? '';
  }

  async subscribe(fields: object = {}, id = 'one', tenant = 'acme') {
    return this.service.create(
      { tenant, id },
      { body: bytes({ ...WEBHOOK, ...fields }), baseUrl: 'http://sonde.test' },
    );
  }

  get last(): Delivered {
    const last = this.delivered.at(-1)?.body;
    if (last) return last;
    throw new Error('nothing was delivered');
  }

  settle(kind: 'callback' | 'ack' | 'release', wake: Wake, more: object = {}) {
    const { wake_id, generation } = wake;
    const body = bytes({ wake_id, generation, ...more });
    return this.service[kind]({
      id: 'one',
      token: wake.callback_token ?? wake.token,
      body: async () => body,
    });
  }

  async claim(worker = 'ann'): Promise<Wake> {
    return (await this.service.claim(KEY, bytes({ worker }))) as unknown as Wake;
  }
}

/** The bench of the running test. */
export let bench: Bench;

/** Replaces the bench of the running test by one with these limits. */
export function openBench(limits?: Partial<SubscriptionLimits>): void {
  bench = new Bench(limits);
}

/** Gives each test of a file its own bench and a manual clock, and checks that nothing is left running. */
export function useSubscriptions(): void {
  beforeEach(() => {
    vi.useFakeTimers();
    openBench();
  });
  afterEach(async () => {
    bench.before = undefined;
    await bench.service.stop();
    await bench.streams.stop();
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });
}

export type StoreHook = (call: { store: StoreName; method: string; args: unknown[] }) => unknown;

interface Wake {
  wake_id: string;
  generation: number;
  token?: string;
  callback_token?: string;
  streams?: { path: string; tail_offset: string }[];
}

export interface Delivered extends Wake {
  callback_url: string;
  callback_token: string;
  streams: { path: string; has_pending: boolean; tail_offset: string; acked_offset: string }[];
}

export const KEY = { tenant: 'acme', id: 'one' };
const WEBHOOK = {
  type: 'webhook',
  pattern: 'a/*',
  webhook: { url: 'https://example.com/' },
  lease_ttl_ms: 1000,
};
export const PULL = { type: 'pull-wake', wake_stream: 'wake' };
export const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
export const reply = (value: unknown, status = 200) => ({ status, body: bytes(value) });
/** Runs everything that is ready; no time passes. */
export const settle = () => vi.advanceTimersByTimeAsync(0);
export const coded = (code: string) => expect.objectContaining({ code });

/** Never responds until it is aborted. */
export const silent: Bench['receiver'] = ({ signal }) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new SondeError('canceled', 'stopped')));
  });

export function streamCall(tenant: string, path: string, text: string): StreamCall {
  return {
    id: `stream/${tenant}/${path}`,
    url: '',
    query: new URLSearchParams(),
    header: (name) => (name === 'content-type' ? 'application/json' : null),
    body: async () => new TextEncoder().encode(text),
    idOfPath: () => undefined,
  };
}
