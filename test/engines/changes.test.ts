/** The changes feed on every engine: which changes each caller gets, and how a reader resumes after a break. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mintToken } from '../../src/api/auth/mint-token.js';
import { type Listening, listenHttp } from '../support/listen.js';
import type { ServedForTest } from '../support/serve.js';
import { RECORD_ENGINES, serveRecords } from '../support/serve-engine.js';

const SECRET = 'a-secret-for-the-tokens-of-these-tests-0';

let site: Listening;
beforeAll(async () => {
  site = await listenHttp((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' }).end('a page');
  });
});
afterAll(() => site.close());

interface FeedEvent {
  readonly id: string;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: changes of several kinds, whose fields the tests name.
  readonly data: any;
}

describe.each(RECORD_ENGINES)('on %s', (name, newUrl) => {
  let server: ServedForTest;
  let databaseUrl: string | undefined;
  const tokens: Record<string, string> = {};
  beforeAll(async () => {
    databaseUrl = await newUrl();
    server = await serveRecords(
      { databaseUrl, tenants: { other: {} } },
      {
        auth: 'jwt',
        jwt: { secret: SECRET },
        net: { allowPrivate: [site.origin] },
        proxy: { allow: [`private:${site.origin}`], routes: {}, env: () => undefined },
      },
    );
    const mint = async (holder: string, tenant: string, scopes: string[]) => {
      tokens[holder] = await mintToken({ secret: SECRET, tenant, scopes, expiresInSeconds: 3_600 });
    };
    await mint('admin', 'default', ['admin']);
    await mint('streams', 'default', ['stream:read']);
    await mint('writer', 'default', ['stream:write']);
    await mint('other', 'other', ['admin']);
  });
  afterAll(() => server.stop());

  const call = (holder: string, path: string, init: RequestInit = {}) =>
    fetch(server.url + path, {
      ...init,
      headers: { authorization: `Bearer ${tokens[holder]}`, ...(init.headers as Record<string, string>) },
    });
  const put = (holder: string, path: string) =>
    call(holder, `/v1/stream/${path}`, {
      method: 'PUT',
      headers: { 'content-type': 'text/plain' },
      body: 'abc',
    });

  /** Opens a reader of the feed and waits for its first event. */
  async function follow(holder: string, after?: string) {
    const gone = new AbortController();
    const response = await call(holder, '/api/changes', {
      signal: gone.signal,
      headers: { accept: 'text/event-stream', ...(after !== undefined && { 'last-event-id': after }) },
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    const events: FeedEvent[] = [];
    const reading = collect(response.body as ReadableStream<Uint8Array>, events).catch(() => {});
    return {
      events,
      /** Resolves with the first event that matches. */
      async until(matches: (event: FeedEvent) => boolean): Promise<FeedEvent> {
        for (let tries = 0; tries < 1_000; tries += 1) {
          const found = events.find(matches);
          if (found) return found;
          await wait(20);
        }
        throw new Error(`not reported; there were ${JSON.stringify(events)}`);
      },
      async leave() {
        gone.abort();
        await reading;
      },
    };
  }

  async function collect(body: ReadableStream<Uint8Array>, events: FeedEvent[]): Promise<void> {
    let text = '';
    for await (const chunk of body.pipeThrough(new TextDecoderStream() as never)) {
      text += chunk;
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) {
        const fields = Object.fromEntries(
          frame
            .split('\n')
            .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
        );
        if (fields['event']) {
          events.push({
            id: fields['id'] ?? '',
            event: fields['event'],
            data: JSON.parse(fields['data'] ?? ''),
          });
        }
      }
    }
  }

  const isChange = (kind: string, id: string, state: string) => (event: FeedEvent) =>
    event.event === 'change' &&
    event.data.kind === kind &&
    event.data.id === id &&
    event.data.state === state;

  test('reports streams, responses and jobs to callers that may read them, and nothing to other tenants', async () => {
    const [all, streams, other] = [await follow('admin'), await follow('streams'), await follow('other')];
    for (const reader of [all, streams, other]) await reader.until(({ event }) => event === 'hello');
    await put('admin', 'feed/one');
    await all.until(isChange('stream', 'feed/one', 'open'));
    await call('admin', '/v1/stream/feed/one', { method: 'DELETE' });
    const sent = await call('admin', '/v1/proxy', {
      method: 'POST',
      headers: { 'upstream-url': `${site.origin}/a`, 'upstream-method': 'GET' },
    });
    const id = new URL(sent.headers.get('location') ?? '').pathname.split('/').at(-1) ?? '';
    const made = await call('admin', '/api/jobs', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'hello', url: `${site.origin}/` }),
    });
    const { jobId } = (await made.json()) as { jobId: string };
    await all.until(isChange('stream', 'feed/one', 'deleted'));
    await all.until(isChange('response', id, 'closed'));
    const job = await all.until(isChange('job', jobId, 'done'));
    expect(job.data).toEqual({ kind: 'job', id: jobId, state: 'done', jobKind: 'hello', auditId: null });
    await put('other', 'feed/two');
    await other.until(isChange('stream', 'feed/two', 'open'));
    await streams.until(isChange('stream', 'feed/one', 'deleted'));
    const kindsOf = ({ events }: { events: FeedEvent[] }) =>
      new Set(events.filter(({ event }) => event === 'change').map(({ data }) => `${data.kind} ${data.id}`));
    expect(kindsOf(streams)).toEqual(new Set(['stream feed/one']));
    expect(kindsOf(other)).toEqual(new Set(['stream feed/two']));
    await Promise.all([all.leave(), streams.leave(), other.leave()]);
  });

  test('a reader that reconnects gets each missed change once', async () => {
    const first = await follow('admin');
    const { id } = await first.until(({ event }) => event === 'hello');
    await first.leave();
    await put('admin', 'feed/missed');
    const second = await follow('admin', id);
    await second.until(isChange('stream', 'feed/missed', 'open'));
    const third = await follow('admin', id);
    await third.until(isChange('stream', 'feed/missed', 'open'));
    expect(third.events.filter(({ event }) => event !== 'change')).toEqual([]);
    expect(third.events.filter(isChange('stream', 'feed/missed', 'open'))).toHaveLength(1);
    await Promise.all([second.leave(), third.leave()]);
  });

  test('an unknown event id resets its reader, and a malformed one is refused', async () => {
    const reader = await follow('admin', '00000000-7');
    const { id } = await reader.until(({ event }) => event === 'reset');
    await put('admin', 'feed/after-reset');
    const change = await reader.until(isChange('stream', 'feed/after-reset', 'open'));
    expect(change.id.split('-')[0]).toBe(id.split('-')[0]);
    await reader.leave();
    const wrong = await call('admin', '/api/changes?after=yesterday');
    expect(wrong.status).toBe(400);
    const forbidden = await call('writer', '/api/changes');
    expect(forbidden.status).toBe(403);
  });

  const inCluster = 'changes made by another process of the cluster are reported';
  if (name === 'postgres')
    test(inCluster, async () => {
      const reader = await follow('admin');
      await reader.until(({ event }) => event === 'hello');
      const second = await serveRecords(
        { databaseUrl },
        { auth: 'none', net: { allowPrivate: [site.origin] } },
      );
      const made = await fetch(`${second.url}/api/jobs`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ kind: 'hello', url: `${site.origin}/` }),
      });
      const { jobId } = (await made.json()) as { jobId: string };
      await reader.until(isChange('job', jobId, 'done'));
      await second.stop();
      await reader.leave();
    });
});
