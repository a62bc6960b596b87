import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mintToken } from '../../src/api/auth/mint-token.js';
import type { HeaderPair } from '../../src/net/index.js';
import { decodeHeaders } from '../../src/proxy/header-rules.js';
import type { RouteClaims } from '../../src/route-claims.js';
import { TENANT_SCOPES } from '../../src/scopes.js';
import { JWT_SECRET } from './app-for-tests.js';
import { atEdge } from './engine-capabilities.js';
import { keepingLog, type LogLine } from './keeping-log.js';
import { type Listening, listenHttp } from './listen.js';
import { makeTenants, type ServedForTest, serveForTest, type TestOptions } from './serve.js';
import { edgeVariablesOf, serveEdgeForTest } from './serve-edge.js';

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A real server on loopback that responds as a test specifies, and records its requests. */
export class Upstream {
  readonly asked: Asked[] = [];
  respond: (response: ServerResponse, asked: Asked) => void = (response) => void response.end('ok');
  #listening: Listening | undefined;
  #onAsked: (() => void)[] = [];

  static async start(): Promise<Upstream> {
    const upstream = new Upstream();
    upstream.#listening = await listenHttp((request, response) => upstream.#receive(request, response));
    return upstream;
  }

  get listening(): Listening {
    if (!this.#listening) throw new Error('the upstream does not listen');
    return this.#listening;
  }

  get origin(): string {
    return this.listening.origin;
  }

  /** Resolves when this many requests have arrived. */
  async untilAsked(count: number): Promise<void> {
    while (this.asked.length < count) await new Promise<void>((resolve) => this.#onAsked.push(resolve));
  }

  reset(): void {
    this.asked.length = 0;
    this.respond = (response) => void response.end('ok');
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const asked = { method, url, headers, body: Buffer.concat(pieces).toString() };
      this.asked.push(asked);
      for (const resolve of this.#onAsked.splice(0)) resolve();
      this.respond(response, asked);
    });
  }
}

export interface ProxyBench {
  readonly upstream: Upstream;
  readonly url: string;
  readonly lines: LogLine[];
  readonly dataDir: string;
  /** The value of an Authorization header with every scope. */
  readonly bearer: string;
  /** Sends a request to the server, for one of its paths or a whole URL. */
  ask(path: string, init?: RequestInit & { readonly token?: string }): Promise<Response>;
  /** Sends POST /v1/proxy for a path of the upstream. */
  create(path?: string, init?: CreateInit): Promise<Response>;
  stop(): Promise<void>;
}

export interface CreateInit {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly token?: string;
}

export const token = (
  tenant = 'acme',
  scopes: readonly string[] = TENANT_SCOPES,
  limits: RouteClaims = {},
): Promise<string> => mintToken({ secret: JWT_SECRET, tenant, scopes, ...limits, expiresInSeconds: 600 });

/** Starts the real server in front of a real upstream, which it may call although it is on loopback. */
export async function startProxyBench(
  options: TestOptions & { readonly upstream?: Upstream } = {},
): Promise<ProxyBench> {
  const upstream = options.upstream ?? (await Upstream.start());
  const { host } = new URL(upstream.origin);
  const lines: LogLine[] = [];
  const { proxy, upstream: _given, ...rest } = options;
  const wanted = {
    auth: 'jwt' as const,
    jwt: { secret: JWT_SECRET },
    log: keepingLog(lines),
    ...rest,
    proxy: { allow: [`private:${host}`], ...proxy },
  };
  const served = await (atEdge ? serveAtEdge(wanted) : serve(wanted));
  const everything = await token();
  const ask: ProxyBench['ask'] = (path, { token: given, ...init } = {}) => {
    const headers = new Headers(init.headers);
    if (given !== '' && !headers.has('authorization'))
      headers.set('authorization', `Bearer ${given ?? everything}`);
    return fetch(new URL(path, served.url), { redirect: 'manual', ...init, headers });
  };
  return {
    upstream,
    url: served.url,
    lines,
    dataDir: served.dataDir,
    bearer: `Bearer ${everything}`,
    ask,
    create: (path = '/', { method = 'GET', headers = {}, body, token: given } = {}) =>
      ask('/v1/proxy', {
        method: 'POST',
        ...(given !== undefined && { token: given }),
        ...(body !== undefined && { body }),
        headers: { 'upstream-url': `${upstream.origin}${path}`, 'upstream-method': method, ...headers },
      }),
    async stop() {
      await served.stop();
      if (!options.upstream) await upstream.listening.close();
    },
  };
}

const TENANTS = ['acme', 'other', 'mine', 'theirs'];

/** The files of a store with the tenants, in memory. Creating them takes a thread, so it is done once per worker. */
let tenantFiles: Promise<ReadonlyMap<string, Buffer>> | undefined;

async function readTenantFiles(): Promise<ReadonlyMap<string, Buffer>> {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-tenants-'));
  try {
    await makeTenants(folder, ...TENANTS);
    return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function serve(options: TestOptions): Promise<ServedForTest> {
  if (options.auth === 'none') return serveForTest(options);
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'sonde-test-'));
  if (!existsSync(join(dataDir, 'records.db'))) {
    tenantFiles ??= readTenantFiles();
    for (const [name, bytes] of await tenantFiles) writeFileSync(join(dataDir, name), bytes);
  }
  const served = await serveForTest({ ...options, dataDir });
  return {
    ...served,
    async stop() {
      await served.stop();
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Serves at the edge with the same options, as variables that a deployment would bind. */
async function serveAtEdge(options: TestOptions): Promise<ServedForTest> {
  const variables = { SONDE_TENANTS: TENANTS.join(','), ...edgeVariablesOf(options) };
  return serveEdgeForTest(variables, { dataDir: options.dataDir });
}

/** Returns status and code, which distinguish most refusals. */
export async function refusal(response: Response): Promise<string> {
  const text = await response.text();
  const code = /"code":"(\w+)"/.exec(text)?.[1] ?? text.slice(0, 80);
  return `${response.status} ${code}`;
}

export function locationOf(response: Response): string {
  return response.headers.get('location') ?? response.headers.get('stream-location') ?? '';
}

export function idOf(response: Response): string {
  return new URL(locationOf(response)).pathname.split('/').at(-1) ?? '';
}

export function upstreamHeadersOf(response: Response): HeaderPair[] {
  return decodeHeaders(response.headers.get('upstream-headers') ?? '');
}

/** Reads to the tail and, if the response is still arriving, to its end, by long-poll. */
export async function readToEnd(location: string): Promise<{ text: string; last: Response }> {
  let text = '';
  for (let offset = '-1'; ; ) {
    const response = await fetch(`${location}&offset=${encodeURIComponent(offset)}&live=long-poll`);
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    text += await response.text();
    offset = response.headers.get('stream-next-offset') ?? '';
    if (response.headers.get('stream-closed') === 'true') return { text, last: response };
  }
}

/**
 * Resolves with the live read that shows the last of these words; repeats, because a read ends after its time limit.
 */
export async function untilShown(location: string, words: string, from = '-1'): Promise<Response> {
  let seen = '';
  for (let offset = from; ; ) {
    const response = await fetch(`${location}&offset=${encodeURIComponent(offset)}&live=long-poll`);
    seen += await response.text();
    if (seen === words) return response;
    if (!words.startsWith(seen) || response.headers.get('stream-closed') === 'true')
      throw new Error(`${response.status} ${JSON.stringify(seen.slice(0, 200))} was shown`);
    offset = response.headers.get('stream-next-offset') ?? '';
  }
}

export interface SseEvent {
  readonly type: string;
  readonly data: string;
}

/** Returns all events of a live read, until the server ends it. */
export async function readSse(location: string): Promise<{ text: string; control: Record<string, unknown> }> {
  const response = await fetch(`${location}&offset=-1&live=sse`);
  const events = (await response.text())
    .split('\n\n')
    .filter(Boolean)
    .map((event): SseEvent => {
      const type = /^event: (.*)$/m.exec(event)?.[1] ?? '';
      return { type, data: [...event.matchAll(/^data:(.*)$/gm)].map(([, line]) => line).join('\n') };
    });
  const bytes = events
    .filter(({ type }) => type === 'data')
    .map(({ data }) => Buffer.from(data.replace(/\s/g, ''), 'base64'));
  const control = events.findLast(({ type }) => type === 'control')?.data ?? '{}';
  return { text: Buffer.concat(bytes).toString(), control: JSON.parse(control) };
}
