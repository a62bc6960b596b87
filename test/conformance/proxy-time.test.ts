import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ManualTimers } from '../support/manual-timers.js';
import {
  locationOf,
  type ProxyBench,
  readToEnd,
  refusal,
  startProxyBench,
  untilShown,
} from '../support/proxy-bench.js';

/** Sends its head at once and its body on request, because bytes that arrive with a head are stored with it. */
function speaksLater(bench: ProxyBench): { say(text: string): void } {
  let say: (text: string) => void = () => {};
  bench.upstream.respond = (response) => {
    response.flushHeaders();
    say = (text) => void response.write(text);
  };
  return { say: (text) => say(text) };
}

/** Repeats the request until the first one with this key is finished. */
async function untilDecided(ask: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const response = await ask();
    if (!(await response.clone().text()).includes('CREATE_IN_PROGRESS')) return response;
  }
}

describe('time', () => {
  let bench: ProxyBench;
  let timers: ManualTimers;
  beforeEach(async () => {
    timers = new ManualTimers();
    bench = await startProxyBench({ proxy: { timers } });
  });
  afterEach(() => bench.stop());

  test('no head within 60 s: 504 UPSTREAM_TIMEOUT, and the upstream is released', async () => {
    bench.upstream.respond = () => {};
    const response = bench.create();
    await bench.upstream.untilAsked(1);
    timers.pass(59_999);
    expect(timers.set).toContain(1);
    timers.pass(1);
    expect(await refusal(await response)).toBe('504 UPSTREAM_TIMEOUT');
    await bench.upstream.listening.idle();
  });

  test('an error body that falls silent: 504 UPSTREAM_BODY_TIMEOUT', async () => {
    bench.upstream.respond = (response) => void response.writeHead(500).write('half of');
    const reply = bench.create();
    await bench.upstream.untilAsked(1);
    await timers.untilSet(600_000);
    timers.pass(600_000);
    const refused = await reply;
    expect(refused.headers.get('upstream-status')).toBe('500');
    expect(await refusal(refused)).toBe('504 UPSTREAM_BODY_TIMEOUT');
  });

  test('a lone token is stored and shown at once, though nothing follows and no time passes', async () => {
    const upstream = speaksLater(bench);
    const location = locationOf(await bench.create());
    upstream.say('one');
    const shown = await untilShown(location, 'one');
    upstream.say('two');
    await untilShown(location, 'two', shown.headers.get('stream-next-offset') ?? '');
  });

  test('4 KB are stored at once', async () => {
    bench.upstream.respond = (response) => void response.write('x'.repeat(4_096));
    const location = locationOf(await bench.create());
    const reply = await fetch(`${location}&offset=-1&live=long-poll`);
    expect((await reply.text()).length).toBe(4_096);
  });

  test('10 min of silence end the stream as timed out, with everything that arrived before', async () => {
    const upstream = speaksLater(bench);
    const location = locationOf(await bench.create());
    upstream.say('hello');
    expect(await (await fetch(`${location}&offset=-1&live=long-poll`)).text()).toBe('hello');
    const waiting = fetch(`${location}&offset=now&live=long-poll`);
    timers.pass(600_000);
    const ended = await waiting;
    expect([ended.headers.get('upstream-outcome'), ended.headers.get('upstream-error')]).toEqual([
      'timeout',
      'UPSTREAM_BODY_TIMEOUT',
    ]);
    expect(await (await fetch(location)).text()).toBe('hello');
    await bench.upstream.listening.idle();
  });

  test('a signed URL works for 24 h and not a second longer', async () => {
    const location = locationOf(await bench.create());
    timers.pass(86_400_000 - 1_000);
    expect((await fetch(location)).status).toBe(200);
    timers.pass(2_000);
    expect(await refusal(await fetch(location))).toBe('401 SIGNATURE_EXPIRED');
    expect(await refusal(await fetch(`${location}&action=abort`, { method: 'PATCH' }))).toBe(
      '401 SIGNATURE_EXPIRED',
    );
  });

  test('Orphan-Policy: cancel-after stops a response without readers; a reader keeps it alive', async () => {
    const upstream = speaksLater(bench);
    const created = await bench.create('/', { headers: { 'orphan-policy': 'cancel-after=30s' } });
    const location = locationOf(created);
    upstream.say('x');
    expect(await (await fetch(`${location}&offset=-1&live=long-poll`)).text()).toBe('x');
    timers.pass(29_000);
    expect(await (await fetch(location)).text()).toBe('x');
    timers.pass(29_999);
    const gone = new AbortController();
    const live = await fetch(`${location}&offset=-1&live=sse`, { signal: gone.signal });
    timers.pass(120_000);
    expect((await fetch(location)).headers.get('stream-closed')).toBe('false');
    gone.abort();
    await live.text().catch(() => {});
    await timers.untilSet(30_000);
    timers.pass(30_000);
    await bench.upstream.listening.idle();
    const read = await readToEnd(location);
    expect([read.text, read.last.headers.get('upstream-outcome')]).toEqual(['x', 'aborted']);
  });

  test.each([{}, { 'idempotency-key': 'left' }])(
    'Orphan-Policy: cancel-after stops a request whose caller left before the head: %o',
    async (key) => {
      bench.upstream.respond = () => {};
      const caller = new AbortController();
      const headers = { 'orphan-policy': 'cancel-after=30s', ...key } as Record<string, string>;
      const { signal } = caller;
      const asked = bench.ask('/v1/proxy', {
        method: 'POST',
        signal,
        headers: { 'upstream-url': `${bench.upstream.origin}/`, 'upstream-method': 'GET', ...headers },
      });
      await bench.upstream.untilAsked(1);
      caller.abort();
      await expect(asked).rejects.toThrow(/abort/i);
      await timers.untilSet(30_000);
      timers.pass(30_000);
      await bench.upstream.listening.idle();
      if (Object.keys(key).length === 0) return;
      expect(await refusal(await untilDecided(() => bench.create('/', { headers })))).toBe(
        '409 UPSTREAM_ABORTED',
      );
    },
  );

  test('a repeat under the same key counts as a caller and restarts the time without one', async () => {
    bench.upstream.respond = () => {};
    const headers = { 'orphan-policy': 'cancel-after=30s', 'idempotency-key': 'again' };
    const caller = new AbortController();
    const { signal } = caller;
    const asked = bench.ask('/v1/proxy', {
      method: 'POST',
      signal,
      headers: { 'upstream-url': `${bench.upstream.origin}/`, 'upstream-method': 'GET', ...headers },
    });
    await bench.upstream.untilAsked(1);
    caller.abort();
    await expect(asked).rejects.toThrow(/abort/i);
    await timers.untilSet(30_000);
    timers.pass(29_000);
    expect(await refusal(await bench.create('/', { headers }))).toBe('409 CREATE_IN_PROGRESS');
    timers.pass(29_000);
    expect(await refusal(await bench.create('/', { headers }))).toBe('409 CREATE_IN_PROGRESS');
    timers.pass(30_000);
    await bench.upstream.listening.idle();
  });

  test('Orphan-Policy: keep is the default, and a request can choose it against the configuration', async () => {
    bench.upstream.respond = (response) => void response.write('x');
    const location = locationOf(await bench.create());
    timers.pass(500_000);
    expect((await fetch(location)).headers.get('stream-closed')).toBe('false');
    const strict = await startProxyBench({
      upstream: bench.upstream,
      proxy: { timers, orphanPolicy: 'cancel-after=1s' },
    });
    const kept = locationOf(await strict.create('/', { headers: { 'orphan-policy': 'keep' } }));
    const dropped = locationOf(await strict.create());
    timers.pass(1_000);
    expect((await readToEnd(dropped)).last.headers.get('upstream-outcome')).toBe('aborted');
    expect((await fetch(kept)).headers.get('stream-closed')).toBe('false');
    await strict.stop();
  });
});

test('more concurrent responses than allowed, including waiting ones: 429 TOO_MANY_STREAMS', async () => {
  const bench = await startProxyBench({ proxy: { streamsMax: 2 } });
  bench.upstream.respond = (response, { url }) => {
    if (url === '/slow') return;
    response.write('x');
  };
  const first = await bench.create('/quick');
  const waiting = bench.create('/slow').catch(() => {});
  await bench.upstream.untilAsked(2);
  for (const headers of [{}, { 'idempotency-key': 'k' }]) {
    const refused = await bench.create('/quick', { headers: headers as Record<string, string> });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refusal(refused)).toBe('429 TOO_MANY_STREAMS');
  }
  await fetch(`${locationOf(first)}&action=abort`, { method: 'PATCH' });
  expect((await bench.create('/quick', { headers: { 'idempotency-key': 'k' } })).status).toBe(201);
  for (const socket of bench.upstream.listening.sockets) socket.destroy();
  await waiting;
  await bench.stop();
});
