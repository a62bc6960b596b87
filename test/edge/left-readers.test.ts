import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { mintToken } from '../../src/api/auth/mint-token.js';
import {
  locationOf,
  type ProxyBench,
  readToEnd,
  startProxyBench,
  token,
  Upstream,
  untilShown,
} from '../support/proxy-bench.js';
import { serveRecords } from '../support/serve-engine.js';

/**
 * A live reader that leaves while its upstream is silent. workerd reports a reset connection at once, but cannot tell
 * whether a closed one is still being read, so the readers here reset theirs.
 */
const CANCEL_AFTER_MS = 1_500;
/**
 * A reader whose end is not reported counts for a minute, and one of a route for as long as the upstream may be silent.
 */
const WAIT_MS = 60_000;
const ORPHANS = { 'orphan-policy': `cancel-after=${CANCEL_AFTER_MS}ms` };
const SECRET = 'a-secret-for-the-tokens-of-these-tests-0';
const letGo = new Map<string, () => void>();
let upstream: Upstream;
let bench: ProxyBench;

beforeAll(async () => {
  upstream = await Upstream.start();
  upstream.respond = (response, { url }) => void response.on('close', () => letGo.get(url)?.()).write('word');
  bench = await startProxyBench({
    upstream,
    net: { allowPrivate: [upstream.origin] },
    longPollMs: WAIT_MS,
    sseMs: WAIT_MS,
    proxy: {
      routes: { silent: { url: upstream.origin, credential: 'caller', private: true } },
      idleMs: 10 * WAIT_MS,
    },
  });
});
afterAll(async () => {
  await bench.stop();
  await upstream.listening.close();
});

/** Makes the response at this path send one word and stay open; resolves when it is released. */
function fallsSilent(path: string): Promise<void> {
  return new Promise((resolve) => letGo.set(path, resolve));
}

interface Reader {
  readonly request: ClientRequest;
  /** Where the response is recorded. */
  readonly location: string;
}

async function ask(url: string, headers: Record<string, string> = {}): Promise<ClientRequest> {
  const request = get(url, { agent: false, headers });
  request.on('error', () => {});
  await once(request, 'finish');
  return request;
}

/** Resolves with the response once the reader has its first live data. */
async function shown(request: ClientRequest): Promise<IncomingMessage> {
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.on('error', () => {});
  await once(response, 'data');
  return response;
}

async function created(path: string): Promise<string> {
  return locationOf(await bench.create(path, { headers: ORPHANS }));
}

const READERS: Record<string, (path: string) => Promise<Reader>> = {
  async 'of a route'(path) {
    const headers = { ...ORPHANS, 'sonde-authorization': `Bearer ${await token()}` };
    const request = await ask(`${bench.url}/r/silent${path}`, headers);
    const { headers: answered } = await shown(request);
    return { request, location: String(answered['stream-location']) };
  },
  async 'by server-sent events'(path) {
    const location = await created(path);
    const request = await ask(`${location}&offset=-1&live=sse`);
    await shown(request);
    return { request, location };
  },
  async 'by raw bytes'(path) {
    const location = await created(path);
    const request = await ask(`${location}&offset=-1&live=raw`);
    await shown(request);
    return { request, location };
  },
  async 'by long-poll'(path) {
    const location = await created(path);
    const lastShown = await untilShown(location, 'word');
    const offset = encodeURIComponent(lastShown.headers.get('stream-next-offset') ?? '');
    return { request: await ask(`${location}&offset=${offset}&live=long-poll`), location };
  },
};

describe.concurrent('a silent upstream is released only after its reader leaves, for a reader', () => {
  test.for(Object.entries(READERS))('%s', { timeout: WAIT_MS / 3 }, async ([name, read]) => {
    const path = `/${encodeURIComponent(name)}`;
    const gone = fallsSilent(path);
    const { request, location } = await read(path);
    const stayed = new Promise((resolve) => setTimeout(resolve, 2 * CANCEL_AFTER_MS, 'kept'));
    expect(await Promise.race([gone, stayed])).toBe('kept');
    const leftAt = performance.now();
    request.socket?.resetAndDestroy();
    await gone;
    expect(performance.now() - leftAt).toBeGreaterThan(CANCEL_AFTER_MS * 0.8);
    const { text, last } = await readToEnd(location);
    expect([text, last.headers.get('upstream-outcome')]).toEqual(['word', 'aborted']);
  });
});

test('readers of a run that leave free their slots in the Worker', { timeout: WAIT_MS / 3 }, async () => {
  const places = 5;
  const server = await serveRecords(
    { tenants: { few: { liveReaders: places } } },
    { auth: 'jwt', jwt: { secret: SECRET }, sseMs: WAIT_MS, net: { allowPrivate: [upstream.origin] } },
  );
  onTestFinished(() => server.stop());
  const token = await mintToken({ secret: SECRET, tenant: 'few', scopes: ['admin'], expiresInSeconds: 600 });
  const few = { authorization: `Bearer ${token}` };
  const run = await fetch(`${server.url}/api/compare`, {
    method: 'POST',
    headers: { ...few, 'content-type': 'application/json' },
    body: JSON.stringify({ leftUrl: `${upstream.origin}/left`, rightUrl: `${upstream.origin}/right` }),
  });
  const events = new URL(`${run.headers.get('location')}/events`, server.url).href;
  // workerd does not report a reader that disconnects while it is being written to, so these have read everything.
  const read = async () => {
    const request = await ask(events, { ...few, accept: 'text/event-stream' });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.on('error', () => {}).setEncoding('utf8');
    for await (const text of response.iterator({ destroyOnReturn: false })) {
      if (String(text).includes('id: ')) break;
    }
    return { request, status: response.statusCode };
  };
  const letIn = async () => {
    for (;;) {
      const { request, status } = await read();
      if (status === 200) return request;
    }
  };
  for (let round = 0; round < 3; round++) {
    const readers: ClientRequest[] = [];
    while (readers.length < places) readers.push(await letIn());
    expect((await read()).status).toBe(429);
    for (const request of readers) request.socket?.resetAndDestroy();
  }
});
