import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { SondeError } from '../../src/errors.js';
import {
  createRedactor,
  type HeaderPair,
  type HopBody,
  type OutboundRequest,
  type OutboundResult,
} from '../../src/net/index.js';
import {
  compileAllowlist,
  compileRoutes,
  createSignedUrls,
  type Ending,
  type InlineCall,
  type ProxyCall,
  type ProxyRead,
  ProxyService,
  type PumpTotals,
  type StreamedBody,
} from '../../src/proxy/index.js';
import type { ProxyServiceOptions } from '../../src/proxy/proxy-service.js';
import type { LiveSink, StreamKey, StreamResponse } from '../../src/streams/index.js';
import { keepingLog, type LogLine } from './keeping-log.js';
import { PumpBench } from './pump-bench.js';

type Headers = Readonly<Record<string, string>>;
type RequestBytes = Uint8Array | StreamedBody;

const NO_OUTCOME = { finalUrl: '', redirects: [], durationMs: 0 };

export function answer(
  status: number,
  headers: readonly HeaderPair[] = [],
  body: HopBody = wholeBody('ok'),
): OutboundResult {
  return {
    ...NO_OUTCOME,
    ok: true,
    response: { status, headers, body, connection: {}, timings: () => ({}) },
  };
}

export function unreachable(error: SondeError): OutboundResult {
  return { ...NO_OUTCOME, ok: false, error };
}

/** A body that ended before it was read. */
export function wholeBody(text: string): HopBody {
  return {
    read: async () => undefined,
    cancel: () => {},
    takeWhole: () => new TextEncoder().encode(text),
  };
}

/** Never answers, and fails when the request is aborted. */
export function silence({ signal }: OutboundRequest): Promise<OutboundResult> {
  return new Promise((resolve) => {
    signal?.addEventListener('abort', () => resolve(unreachable(new SondeError('canceled', 'given up'))));
  });
}

/** The reader of a live response, which keeps what it gets. */
export class KeepingSink implements LiveSink {
  text = '';
  ending: 'ended' | 'aborted' | undefined;
  #onClose: (() => void)[] = [];

  write(bytes: Uint8Array): void {
    this.text += new TextDecoder().decode(bytes);
  }
  buffered = (): number => 0;
  drained = async (): Promise<void> => {};
  end(): void {
    this.ending = 'ended';
    this.leave();
  }
  abort(): void {
    this.ending = 'aborted';
    this.leave();
  }
  onClose(act: () => void): void {
    this.#onClose.push(act);
  }
  leave(): void {
    for (const act of this.#onClose.splice(0)) act();
  }
}

/** The proxy over real stores in this thread, with a manual clock. Its upstream is a function of the test. */
class ProxyServiceBench {
  readonly pumps = new PumpBench();
  reply: (request: OutboundRequest) => OutboundResult | Promise<OutboundResult> = () => answer(200);
  asked: { readonly request: OutboundRequest; readonly lifted: boolean }[] = [];
  lines: LogLine[] = [];
  ends: [Ending, PumpTotals][] = [];
  retries = 0;
  #service: ProxyService | undefined;
  #noted: StreamKey | undefined;

  get service(): ProxyService {
    if (!this.#service) throw new Error('the bench has not begun');
    return this.#service;
  }

  async begin(options: Partial<ProxyServiceOptions> = {}): Promise<void> {
    [this.asked, this.lines, this.ends, this.retries] = [[], [], [], 0];
    this.reply = () => answer(200);
    await this.#forgetPump();
    await this.pumps.begin();
    this.#noted = this.pumps.stream;
    const routes = {
      keyed: { url: 'http://a.example/base', credential: 'env:KEY' },
      theirs: { url: 'http://a.example', credential: 'caller', headersMs: 500 },
    };
    this.#service = new ProxyService({
      streams: this.pumps.service,
      store: this.pumps.inline.proxy,
      outbound: {
        keepsCodings: true,
        fetch: async (request, lifted) => {
          this.asked.push({ request, lifted });
          return this.reply(request);
        },
      },
      allowlist: compileAllowlist(['a.example', 'private:http://b.example']),
      routes: compileRoutes(routes, { authenticated: true, env: () => 'sk-up' }),
      signedUrls: createSignedUrls(['a-signing-secret-of-more-than-32-bytes']),
      redactor: createRedactor(),
      log: keepingLog(this.lines),
      timers: this.pumps.timers,
      onEnded: (...end) => void this.ends.push(end),
      onUnkeyedRetry: () => void this.retries++,
      ...options,
    });
  }

  async end(): Promise<void> {
    this.pumps.failWith = undefined;
    await this.#forgetPump();
    await this.service.stop();
    await this.pumps.service.stop();
  }

  /** The stream of the bench of pumps has a record of a running pump, which the next test would find. */
  async #forgetPump(): Promise<void> {
    if (this.#noted) await this.pumps.inline.proxy.pumpEnded(this.#noted);
  }

  call(headers: Headers, body: RequestBytes = new Uint8Array(0)): ProxyCall {
    return {
      tenant: 'acme',
      headers: Object.entries(headers),
      header: (name) => headers[name] ?? null,
      body: async () => body,
      absolute: (path) => `http://sonde.test${path}`,
    };
  }

  create(headers: Headers = {}, body?: RequestBytes): Promise<StreamResponse> {
    const base = { 'upstream-url': 'http://a.example/it', 'upstream-method': 'POST' };
    return this.service.create(this.call({ ...base, ...headers }, body));
  }

  inline(
    call: Partial<Pick<InlineCall, 'method' | 'rest' | 'access'>> & {
      route?: string;
      headers?: Headers;
    } = {},
  ): Promise<StreamResponse> {
    const { method = 'GET', rest = '/it', access = 'all', headers = {} } = call;
    const route = this.service.routes.get(call.route ?? 'keyed');
    if (!route) throw new Error('no such route');
    return this.service.inline({ ...this.call(headers), method, rest, access, route });
  }

  read(id: string, query: Headers = {}, tenant: string | null = 'acme'): ProxyRead {
    return {
      id,
      tenant,
      query: new URLSearchParams(query),
      url: `http://sonde.test/v1/proxy/${id}`,
      header: () => null,
    };
  }
}

/** One bench for the tests of a file, begun again before each. */
export function useProxyService(): ProxyServiceBench {
  const bench = new ProxyServiceBench();
  beforeAll(() => bench.pumps.open());
  beforeEach(() => bench.begin());
  afterEach(() => bench.end());
  afterAll(() => bench.pumps.close());
  return bench;
}

export function idOf({ headers }: StreamResponse): string {
  const location = headers['Location'] ?? headers['Stream-Location'] ?? '';
  return new URL(location).pathname.split('/').at(-1) ?? '';
}

export async function textOf({ body }: StreamResponse): Promise<string> {
  if (body?.kind === 'bytes') return new TextDecoder().decode(body.bytes);
  if (body?.kind !== 'pieces') throw new Error(`a body of kind ${body?.kind}`);
  const pieces: Uint8Array[] = [];
  for await (const piece of body.pieces()) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}
