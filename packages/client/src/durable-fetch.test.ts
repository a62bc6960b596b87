/** Tests the client against scripted responses. Suites under test/conformance run it against a real server. */
import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../../test/support/memory-storage.js';
import {
  created,
  down,
  last,
  piece,
  refused,
  scriptedServer,
} from '../../../test/support/scripted-server.js';
import { DurableFetchError } from './durable-fetch-error.js';

const UPSTREAM = 'https://api.example.com/v1/chat';

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'fine',
    (thrown: unknown) => (thrown instanceof DurableFetchError ? thrown.code : thrown),
  );

describe('a create', () => {
  test("sends the upstream's URL and credential in their own headers", async () => {
    const { open, calls } = scriptedServer(created(), last('hello'));
    const init = { method: 'PUT', headers: { authorization: 'Bearer upstream', 'x-a': '1' } };
    const response = await open({ orphanPolicy: 'cancel-after=30s' })(UPSTREAM, init);
    expect(await response.text()).toBe('hello');
    expect(calls[0]).toEqual({
      path: '',
      method: 'POST',
      headers: {
        'x-a': '1',
        'upstream-authorization': 'Bearer upstream',
        'upstream-url': UPSTREAM,
        'upstream-method': 'PUT',
        'orphan-policy': 'cancel-after=30s',
        'idempotency-key': expect.stringMatching(/^[0-9a-f]{32}$/),
      },
    });
  });

  test('without a token of its own, it sends the server no Authorization', async () => {
    const { open, calls } = scriptedServer(created(), last(''));
    await (await open()(UPSTREAM, { headers: { authorization: 'Bearer upstream' } })).text();
    expect(calls.map(({ headers }) => headers['authorization'])).toEqual([undefined, undefined]);
  });

  test('gets a new token for each request and sends it only to the server', async () => {
    const { open, calls } = scriptedServer(created(), last(''), created(), last(''));
    let tokens = 0;
    const durable = open({ token: () => `token-${++tokens}` });
    for (const _ of [1, 2])
      await (await durable(UPSTREAM, { headers: { authorization: 'Bearer up' } })).text();
    expect(calls.map(({ headers }) => [headers['authorization'], headers['upstream-authorization']])).toEqual(
      [
        ['Bearer token-1', 'Bearer up'],
        [undefined, undefined],
        ['Bearer token-2', 'Bearer up'],
        [undefined, undefined],
      ],
    );
  });

  test("keeps the caller's own key, and generates a new key for each call", async () => {
    const { open, calls } = scriptedServer(created(), last(''), created(), last(''), created(), last(''));
    const durable = open();
    await (await durable(UPSTREAM, { headers: { 'idempotency-key': 'mine' } })).text();
    for (const _ of [1, 2]) await (await durable(UPSTREAM)).text();
    const [first, second, third] = calls.filter(({ method }) => method === 'POST');
    expect(first?.headers['idempotency-key']).toBe('mine');
    expect(second?.headers['idempotency-key']).not.toBe(third?.headers['idempotency-key']);
  });

  test('is repeated with the same key if its response was lost', async () => {
    const { open, calls, waits } = scriptedServer(down, down, created(), last('hello'));
    expect(await (await open()(UPSTREAM)).text()).toBe('hello');
    const keys = calls.slice(0, 3).map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(1);
    expect(waits).toEqual([0, 500]);
  });

  test('waits as long as the server requests, up to a minute', async () => {
    const busy = (seconds: number) => refused(503, 'SERVER_BUSY', { 'retry-after': String(seconds) });
    const { open, waits } = scriptedServer(busy(7), busy(3_600), created(), last(''));
    await (await open()(UPSTREAM)).text();
    expect(waits).toEqual([7_000, 60_000]);
  });

  test('waits as usual if the server names a time that cannot be read', async () => {
    const busy = refused(503, 'SERVER_BUSY', { 'retry-after': 'soon' });
    const { open, waits } = scriptedServer(busy, busy, created(), last(''));
    await (await open()(UPSTREAM)).text();
    expect(waits).toEqual([0, 500]);
  });

  test('is polled for ten minutes while in progress, without counting as a failure', async () => {
    const busy = refused(409, 'CREATE_IN_PROGRESS', { 'retry-after': '60' });
    const patient = scriptedServer(...Array<typeof busy>(10).fill(busy), created(), last('hello'));
    expect(await (await patient.open({ retries: 0 })(UPSTREAM)).text()).toBe('hello');
    expect(patient.waits).toEqual(Array(10).fill(60_000));
    const forever = scriptedServer(...Array<typeof busy>(20).fill(busy));
    const response = await forever.open({ retries: 0 })(UPSTREAM);
    expect([response.status, forever.calls.length]).toEqual([424, 12]);
  });

  test.each([408, 425, 429, 500, 503])('is retried after %i', async (status) => {
    const { open, calls } = scriptedServer(refused(status, 'ANY'), created(), last('hello'));
    expect([await (await open()(UPSTREAM)).text(), calls.length]).toEqual(['hello', 3]);
  });

  test.each([
    [400, 'INVALID_REQUEST', 400],
    [404, 'NOT_FOUND', 404],
    [500, 'STORAGE_ERROR', 424],
    [502, 'UPSTREAM_ERROR', 502],
  ])('is not retried after %i %s, and the caller gets %i', async (status, code, seen) => {
    const { open, calls } = scriptedServer(refused(status, code));
    const response = await open()(UPSTREAM);
    expect([response.status, calls.length]).toEqual([seen, 1]);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual({ error: { code, message: 'why' } });
  });

  test('reports the response of an intermediary by its status', async () => {
    const { open } = scriptedServer(() => new Response('<h1>no</h1>', { status: 404 }));
    const { error } = await (await open()(UPSTREAM)).json();
    expect(error).toEqual({ code: 'HTTP_404', message: 'status 404' });
  });

  test("returns the upstream's own error response with its body", async () => {
    const reply = () => {
      const headers = { 'upstream-status': '500', 'upstream-headers': 'W10' };
      return new Response('its words', { status: 502, headers });
    };
    const { open, calls } = scriptedServer(reply);
    const response = await open()(UPSTREAM);
    expect([response.status, await response.text(), calls.length]).toEqual([500, 'its words', 1]);
  });
});

describe('a body', () => {
  const READ = (at: number) => `/one?sig=s&offset=-1&skip=${at}&live=raw`;

  test('is read from its first byte at the endpoint that the caller uses', async () => {
    const { open, calls } = scriptedServer(created(), last('hello'));
    const response = await open()(UPSTREAM);
    expect(await response.text()).toBe('hello');
    expect(calls[1]).toMatchObject({ path: READ(0), method: 'GET' });
    expect([response.headers.get('stream-location'), response.headers.get('stream-position')]).toEqual([
      'https://sonde.example.com/v1/proxy/one?sig=s',
      '0',
    ]);
  });

  test('continues after the last byte read when a connection ends', async () => {
    const { open, calls } = scriptedServer(created(), piece('hel'), piece('lo'), last(''));
    expect(await (await open()(UPSTREAM)).text()).toBe('hello');
    expect(calls.slice(1).map(({ path }) => path)).toEqual([READ(0), READ(3), READ(5)]);
  });

  test('continues if it ended cleanly before its total size', async () => {
    const short = last('hel', { 'stream-total-size': '5' });
    const { open, calls } = scriptedServer(created(), short, last('lo', { 'stream-total-size': '5' }));
    expect(await (await open()(UPSTREAM)).text()).toBe('hello');
    expect(calls.slice(1).map(({ path }) => path)).toEqual([READ(0), READ(3)]);
  });

  test('ends with an error if it never reaches its total size', async () => {
    const short = last('', { 'stream-total-size': '5' });
    const { open, calls } = scriptedServer(created(), ...Array<typeof short>(10).fill(short));
    expect(await codeOf((await open({ retries: 1 })(UPSTREAM)).text())).toBe('RETRIES_EXHAUSTED');
    // Reads get three times as many retries as a create.
    expect(calls).toHaveLength(1 + 4);
  });

  test.each([
    ['aborted', {}, 'UPSTREAM_ABORTED'],
    ['failed', {}, 'UPSTREAM_TRUNCATED'],
    ['failed', { 'upstream-error': 'UPSTREAM_RESET' }, 'UPSTREAM_RESET'],
  ])('with the outcome %s %j fails with %s', async (outcome, more, code) => {
    const storage = memoryStorage();
    const { open } = scriptedServer(created(), last('half', { 'upstream-outcome': outcome, ...more }));
    const response = await open({ storage, requestId: 'a' })(UPSTREAM);
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('half');
    expect(await codeOf(Promise.resolve(reader?.read()))).toBe(code);
    // The response has ended, so it cannot be resumed.
    expect(storage.kept.size).toBe(0);
  });

  test('can be resumed later if the server was unreachable', async () => {
    const storage = memoryStorage();
    const { open } = scriptedServer(created(), piece('hel'));
    const durable = open({ storage, requestId: 'a', retries: 1 });
    expect(await codeOf((await durable(UPSTREAM)).text())).toBe('RETRIES_EXHAUSTED');
    expect(JSON.parse(storage.kept.get('sonde:a') ?? '')).toMatchObject({ at: 3 });
  });

  test('gets all its retries again after each progress', async () => {
    // The end of the first connection is the first failure of the second stretch.
    const server = scriptedServer(created(), down, down, down, piece('hel'), down, down, last('lo'));
    expect(await (await server.open({ retries: 1 })(UPSTREAM)).text()).toBe('hello');
  });

  test('a connection without bytes is a failure only if it was short', async () => {
    const server = scriptedServer(
      created(),
      ...Array.from({ length: 10 }, () => () => {
        server.timing.ms += 1_000;
        return new Response(null, { headers: { 'upstream-headers': 'W10' } });
      }),
      last('hello'),
    );
    // The time passes before the head arrives, but only the time after it counts.
    expect(await codeOf((await server.open({ retries: 1 })(UPSTREAM)).text())).toBe('RETRIES_EXHAUSTED');
    const lasting = scriptedServer(
      created(),
      ...Array.from({ length: 10 }, () => () => {
        const body = new ReadableStream(
          {
            pull(controller) {
              lasting.timing.ms += 1_000;
              controller.close();
            },
          },
          { highWaterMark: 0 },
        );
        return new Response(body, { headers: { 'upstream-headers': 'W10' } });
      }),
      last('hello'),
    );
    expect(await (await lasting.open({ retries: 1 })(UPSTREAM)).text()).toBe('hello');
  });

  test('requests a new URL with the same key when the old one has expired', async () => {
    const again = created({ location: 'https://sonde.example.com/v1/proxy/one?sig=t' });
    const { open, calls } = scriptedServer(created(), refused(401, 'EXPIRED'), again, last('hello'));
    expect(await (await open()(UPSTREAM)).text()).toBe('hello');
    expect(calls.map(({ path, method }) => [method, path])).toEqual([
      ['POST', ''],
      ['GET', READ(0)],
      ['POST', ''],
      ['GET', READ(0).replace('sig=s', 'sig=t')],
    ]);
    expect(calls[2]?.headers['idempotency-key']).toBe(calls[0]?.headers['idempotency-key']);
  });

  test('ends with an error if the server no longer has it', async () => {
    const { open } = scriptedServer(created(), refused(404, 'STREAM_NOT_FOUND'));
    expect(await codeOf((await open()(UPSTREAM)).text())).toBe('STREAM_NOT_FOUND');
  });

  test('a stalled connection is replaced by another', async () => {
    const silent = (init: RequestInit) =>
      new Promise<Response>((_resolve, reject) =>
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
      );
    const { open, calls, timing } = scriptedServer(created(), silent, last('hello'));
    const reading = (await open({ stallMs: 5, timing: { ...timing, after: setTimer } })(UPSTREAM)).text();
    expect([await reading, calls.length]).toEqual(['hello', 3]);
  });
});

const setTimer = (ms: number, act: () => void) => {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
};

describe('stopping early', () => {
  const open = async (
    onAbort: 'detach' | 'cancel',
    stopReading: (stop: AbortController) => unknown = () => {},
  ) => {
    const storage = memoryStorage();
    const ok = () => new Response(null, { status: 204 });
    const server = scriptedServer(created(), piece('hel'), ok, ok);
    const stop = new AbortController();
    const response = await server.open({ onAbort, storage, requestId: 'a' })(UPSTREAM, {
      signal: stop.signal,
    });
    const reader = response.body?.getReader();
    await reader?.read();
    await stopReading(stop);
    return { ...server, storage, reader };
  };

  test.each([
    ['detach', 2, 1],
    ['cancel', 3, 0],
  ] as const)('an aborted signal with onAbort %s makes %i calls', async (onAbort, calls, kept) => {
    const left = await open(onAbort, (stop) => stop.abort(new Error('enough')));
    await expect(left.reader?.read()).rejects.toThrow('enough');
    await expect.poll(() => left.calls.length).toBe(calls);
    expect(left.storage.kept.size).toBe(kept);
    if (onAbort === 'cancel')
      expect(left.calls[2]).toMatchObject({ method: 'PATCH', path: '/one?sig=s&action=abort' });
  });

  test.each([
    ['detach', 2, 1],
    ['cancel', 3, 0],
  ] as const)('a cancelled body with onAbort %s makes %i calls', async (onAbort, calls, kept) => {
    const left = await open(onAbort);
    await left.reader?.cancel();
    expect([left.calls.length, left.storage.kept.size]).toEqual([calls, kept]);
  });

  test('retries stopping the upstream after a temporary refusal', async () => {
    const busy = refused(503, 'SERVER_BUSY');
    const ok = () => new Response(null, { status: 204 });
    const { open, calls } = scriptedServer(created(), piece('hel'), busy, ok);
    const reader = (await open({ onAbort: 'cancel' })(UPSTREAM)).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect(calls.map(({ method }) => method)).toEqual(['POST', 'GET', 'PATCH', 'PATCH']);
  });

  test('an abort while the request is saved ends the body', async () => {
    const stop = new AbortController();
    const storage = {
      ...memoryStorage(),
      setItem: (_key: string, value: string) => {
        if (value.includes('"url"')) stop.abort(new Error('enough'));
      },
    };
    const { open, calls } = scriptedServer(created(), last('hello'));
    const response = await open({ storage, requestId: 'a' })(UPSTREAM, { signal: stop.signal });
    await expect(response.text()).rejects.toThrow('enough');
    expect(calls.map(({ method }) => method)).toEqual(['POST']);
  });

  test('a create that is refused stops nothing', async () => {
    const { open, calls } = scriptedServer(refused(400, 'INVALID_REQUEST'));
    const { signal } = new AbortController();
    expect((await open({ onAbort: 'cancel' })(UPSTREAM, { signal })).status).toBe(400);
    await new Promise(setImmediate);
    expect(calls.map(({ method }) => method)).toEqual(['POST']);
  });

  test('an abort before the create sends nothing', async () => {
    const { open, calls } = scriptedServer(created());
    const work = open()(UPSTREAM, { signal: AbortSignal.abort(new Error('enough')) });
    await expect(work).rejects.toThrow('enough');
    expect(calls).toEqual([]);
  });

  test.each([
    ['detach', ['POST']],
    ['cancel', ['POST', 'PATCH']],
  ] as const)('an abort during the create with onAbort %s sends %j', async (onAbort, methods) => {
    const stop = new AbortController();
    const silent = (init: RequestInit) =>
      new Promise<Response>((_resolve, reject) => {
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
        stop.abort(new Error('enough'));
      });
    const storage = memoryStorage();
    const { open, calls } = scriptedServer(silent, () => new Response(null, { status: 204 }));
    const durable = open({ onAbort, storage, requestId: 'a' });
    await expect(durable(UPSTREAM, { signal: stop.signal })).rejects.toThrow('enough');
    expect(storage.kept.size).toBe(onAbort === 'cancel' ? 0 : 1);
    await expect.poll(() => calls.map(({ method }) => method)).toEqual(methods);
    if (onAbort === 'cancel') {
      expect(calls[1]).toMatchObject({
        path: '?&action=abort',
        headers: { 'idempotency-key': calls[0]?.headers['idempotency-key'] },
      });
    }
  });
});
