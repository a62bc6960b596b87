/**
 * Two tenants on one built server: one gives it work that lasts, the other measures how long each kind of its own work
 * takes, alone and beside that. Every load is one that has stopped another tenant before.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uuidV7 } from '../../src/uuid.js';
import { type BuiltServer, startBuiltServer } from '../support/built-server.js';
import { type Listening, listenHttp } from '../support/listen.js';
import { openRecordsForTest } from '../support/serve.js';
import { type TenantClient, tenantClient } from '../support/tenant-limits.js';

const SECRET = 'a-secret-for-the-tokens-of-these-tests-0';
const SLOW_TARGET_MS = 25_000;
const SLOW_RECEIVER_MS = 14_000;
const END_MS = 120_000;

export interface WorkOptions {
  readonly databaseUrl?: string;
  readonly concurrency: number;
}

const json = (body: unknown) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export class TenantWork {
  readonly #server: BuiltServer;
  readonly #sites: readonly Listening[];
  readonly #folder: string;
  readonly #greedy: TenantClient;
  readonly #modest: TenantClient;
  readonly #received = new Map<string, () => void>();
  #n = 0;

  private constructor(parts: {
    server: BuiltServer;
    sites: readonly Listening[];
    folder: string;
    greedy: TenantClient;
    modest: TenantClient;
  }) {
    this.#server = parts.server;
    this.#sites = parts.sites;
    this.#folder = parts.folder;
    this.#greedy = parts.greedy;
    this.#modest = parts.modest;
  }

  static async open({ databaseUrl, concurrency }: WorkOptions): Promise<TenantWork> {
    let work: TenantWork | undefined;
    const site = await listenHttp((request, response) => {
      if (request.url?.startsWith('/hook')) {
        request.resume().on('end', () => {
          response.writeHead(204).end();
          work?.onReceived();
        });
        return;
      }
      const links = Array.from({ length: 50 }, (_, n) => `<a href="/page-${n}">${n}</a>`).join('');
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>x</title>${links}`);
    });
    const slow = await listenHttp((request, response) => {
      const ms = request.url?.startsWith('/hook') ? SLOW_RECEIVER_MS : SLOW_TARGET_MS;
      const timer = setTimeout(() => response.writeHead(200).end('late'), ms);
      request.resume();
      response.on('close', () => clearTimeout(timer));
    });
    /** Sends as much as a probe keeps, and then nothing. */
    const heavy = await listenHttp((request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      if (request.url === '/quick') response.end('quick');
      else response.write('x'.repeat(2_000_000));
    });
    const sites = [site, slow, heavy];
    const folder = mkdtempSync(join(tmpdir(), 'sonde-work-'));
    const server = await startBuiltServer({
      folder,
      args: [
        ...['--auth', 'jwt', '--jwt-secret', SECRET, '--rate-per-minute', '0'],
        ...['--job-concurrency', String(concurrency), '--allow-private'],
        sites.map(({ origin }) => origin).join(','),
      ],
      env: databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl },
    });
    const stores = await openRecordsForTest(folder, { databaseUrl });
    for (const slug of ['greedy', 'modest'])
      await stores.tenants.create({ id: uuidV7(Date.now()), slug, name: slug, quotas: {} });
    await stores.close();
    const client = (tenant: string) => tenantClient({ url: server.url, secret: SECRET, tenant });
    const [greedy, modest] = [await client('greedy'), await client('modest')];
    work = new TenantWork({ server, sites, folder, greedy, modest });
    await work.#create(modest, '/api/webhooks', { url: `${site.origin}/hook`, events: ['hello.done'] });
    return work;
  }

  async close(): Promise<void> {
    this.#greedy.leave();
    this.#modest.leave();
    await this.#server.kill();
    await Promise.all(this.#sites.map((site) => site.close()));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get pid(): number {
    return this.#server.pid;
  }

  onReceived(): void {
    for (const done of this.#received.values()) done();
    this.#received.clear();
  }

  /** Begins a load of the greedy tenant. Resolves when it has been accepted, long before it ends. */
  readonly loads = {
    'ten audits with a delay of a minute': () => this.#audits(this.#site, { delayMs: 60_000 }),
    'ten audits of a target that answers after 25 s': () => this.#audits(this.#slow, {}),
    'twenty webhook receivers that answer after 14 s': async () => {
      for (let n = 0; n < 20; n++) {
        const events = ['hello.done'];
        await this.#create(this.#greedy, '/api/webhooks', { url: `${this.#slow}/hook-${n}`, events });
      }
      for (let n = 0; n < 10; n++)
        await this.#create(this.#greedy, '/api/jobs', { kind: 'hello', url: `${this.#site}/${n}` });
      await pause(5_000);
    },
    'a thousand probes of one origin': async () => {
      const path = `/api/probe?profile=full&url=${encodeURIComponent(this.#heavy)}`;
      for (let n = 0; n < 1_000; n++) {
        this.#greedy.send('GET', path).then(
          (response) => response.arrayBuffer(),
          () => {
            // It ends with the client.
          },
        );
      }
      await pause(2_000);
    },
    'five suites of 300 paths': async () => {
      for (let n = 0; n < 5; n++) {
        await this.#create(this.#greedy, '/api/suites', {
          ...{ leftUrl: this.#site, rightUrl: `${this.#site}/right-${n}`, samples: 1, concurrency: 16 },
          paths: Array.from({ length: 300 }, (_, at) => `/path-${at}`),
        });
      }
    },
  } as const;

  /** How long each kind of work of the other tenant takes, in milliseconds. */
  readonly kinds = {
    hello: () => this.#jobOf('/api/jobs', { kind: 'hello', url: this.#own() }),
    audit: () => this.#jobOf('/api/audits', { url: this.#own(), pages: 1, checks: 0, delayMs: 0 }),
    compare: () => this.#jobOf('/api/compare', { leftUrl: this.#own(), rightUrl: this.#own(), samples: 1 }),
    suite: () =>
      this.#jobOf('/api/suites', {
        ...{ leftUrl: this.#own(), rightUrl: this.#own() },
        ...{ samples: 1, paths: ['/a', '/b'] },
      }),
    probe: async () => {
      const response = await this.#modest.send(
        'GET',
        `/api/probe?url=${encodeURIComponent(`${this.#heavy}/quick`)}`,
      );
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`a probe of the other tenant returned ${response.status}`);
    },
    webhook: async () => {
      const received = new Promise<void>((resolve) => this.#received.set('webhook', resolve));
      await this.#jobOf('/api/jobs', { kind: 'hello', url: this.#own() });
      await Promise.race([received, pause(END_MS)]);
    },
  } as const;

  get #site(): string {
    return this.#sites[0]?.origin ?? '';
  }

  get #slow(): string {
    return this.#sites[1]?.origin ?? '';
  }

  get #heavy(): string {
    return this.#sites[2]?.origin ?? '';
  }

  /** Another URL each time, so that no result is reused. */
  #own(): string {
    this.#n += 1;
    return `${this.#site}/own-${this.#n}`;
  }

  async #audits(origin: string, options: { readonly delayMs?: number }): Promise<void> {
    for (let n = 0; n < 10; n++) {
      const body = { url: `${origin}/${n}`, pages: 5_000, concurrency: 1, ...options };
      await this.#create(this.#greedy, '/api/audits', body);
    }
    await pause(3_000);
  }

  async #create(client: TenantClient, path: string, body: unknown): Promise<Record<string, unknown>> {
    const response = await client.send('POST', path, json(body));
    const text = await response.text();
    if (response.status >= 300) throw new Error(`POST ${path} returned ${response.status} ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  }

  async #jobOf(path: string, body: unknown): Promise<void> {
    const created = await this.#create(this.#modest, path, body);
    const id = created['auditId'] ?? created['comparisonId'] ?? created['suiteId'] ?? created['jobId'];
    const until = performance.now() + END_MS;
    while (performance.now() < until) {
      const response = await this.#modest.send('GET', `${path}/${id}`);
      const { status } = (await response.json()) as { status?: string };
      if (status === 'done' || status === 'completed' || status === 'success') return;
      if (status === 'failed' || status === 'canceled') throw new Error(`${path} ended as ${status}`);
      await pause(20);
    }
  }
}
