/** A server with one upstream behind it and a breaking wire in front of it, for the tests of durableFetch. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import {
  type DurableFetch,
  DurableFetchError,
  type DurableFetchOptions,
  durableFetch,
} from '../../packages/client/src/index.js';
import { type Chaos, startChaos } from './chaos-proxy.js';
import { type Listening, listenHttp } from './listen.js';
import { type ServedForTest, serveForTest } from './serve.js';

export type UpstreamCall = IncomingMessage & { readonly body: string };
export type Handler = (request: UpstreamCall, response: ServerResponse) => void;

export const TOKEN = 'service-token-of-this-test-0123456789';

export interface DurableHarness {
  upstream: Listening;
  server: ServedForTest;
  chaos: Chaos;
  /** The upstream's response; `hello` by default. */
  handle: Handler;
  calls: UpstreamCall[];
  open(options?: Partial<DurableFetchOptions>): DurableFetch;
}

export function useDurable(settings: { headersMs?: number; idleMs?: number } = {}): DurableHarness {
  const harness = {
    open: (options = {}) => durableFetch({ proxy: harness.chaos.origin, token: TOKEN, ...options }),
  } as DurableHarness;
  beforeAll(async () => {
    harness.upstream = await listenHttp(async (request, response) => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece);
      const call = Object.assign(request, { body: Buffer.concat(pieces).toString() });
      harness.calls.push(call);
      harness.handle(call, response);
    });
    harness.server = await serveForTest({
      auth: 'jwt',
      serviceTokens: [{ token: TOKEN, tenant: 'default', scopes: ['proxy:create', 'proxy:admin'] }],
      proxy: {
        allow: [`private:${harness.upstream.origin}`],
        routes: {},
        env: () => undefined,
        ...settings,
      },
    });
  });
  afterAll(async () => {
    await harness.server?.stop();
    await harness.upstream?.close();
  });
  beforeEach(async () => {
    harness.calls = [];
    harness.handle = (_request, response) => void response.end('hello');
    harness.chaos = await startChaos(Number(new URL(harness.server.url).port));
  });
  afterEach(() => harness.chaos.close());
  return harness;
}

/** Resolves with `fine`, or with the code of a typed error. */
export const codeOf = (work: Promise<unknown> | undefined): Promise<unknown> =>
  Promise.resolve(work).then(
    () => 'fine',
    (thrown: unknown) => (thrown instanceof DurableFetchError ? thrown.code : thrown),
  );
