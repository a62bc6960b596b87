import { expect, test } from 'vitest';
import { callServer } from './server-call.js';

const STALL_MS = 30_000;

/** A call whose stall timers fire when the test calls them; `sent` lists the calls of the platform's fetch. */
function open(respond: (init: RequestInit) => Response | Promise<Response>) {
  const stallTimers = new Set<() => void>();
  const sent: { url: string; init: RequestInit }[] = [];
  const settings = {
    fetch: async (url: string, init: RequestInit) => {
      sent.push({ url, init });
      return respond(init);
    },
    timing: {
      after(ms: number, act: () => void) {
        expect(ms).toBe(STALL_MS);
        stallTimers.add(act);
        return () => void stallTimers.delete(act);
      },
      now: () => 0,
      random: () => 0,
    },
  };
  const call = (init: RequestInit = {}) =>
    callServer(settings, 'https://sonde.test/', { ...init, stallMs: STALL_MS });
  return { call, stallTimers, sent };
}

/** A signal that records its listeners. */
function countedSignal() {
  const stop = new AbortController();
  const listeners = new Set<unknown>();
  const { signal } = stop;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  Object.assign(signal, {
    addEventListener: (type: 'abort', act: () => void) => {
      listeners.add(act);
      add(type, act);
    },
    removeEventListener: (type: 'abort', act: () => void) => {
      listeners.delete(act);
      remove(type, act);
    },
  });
  return { stop, signal, listeners };
}

const untilAborted = ({ signal }: RequestInit) =>
  new Promise<Response>((_resolve, reject) => {
    const fail = () => reject(signal?.reason);
    if (signal?.aborted) fail();
    signal?.addEventListener('abort', fail);
  });

test('sends no cookies, follows no redirects, and reads the body in pieces', async () => {
  const { call, sent, stallTimers } = open(
    () => new Response('hello', { status: 203, headers: { 'x-a': '1' } }),
  );
  const { status, header, read } = await call({ method: 'PUT' });
  expect(sent[0]?.init).toMatchObject({ method: 'PUT', credentials: 'omit', redirect: 'error' });
  expect([status, header('X-A'), header('x-b')]).toEqual([203, '1', null]);
  expect(new TextDecoder().decode(await read())).toBe('hello');
  expect(await read()).toBeUndefined();
  expect(stallTimers.size).toBe(0);
});

test('returns all remaining bytes as one piece, and none for an empty body', async () => {
  const body = new ReadableStream({
    start(controller) {
      for (const text of ['a', 'b', 'c']) controller.enqueue(new TextEncoder().encode(text));
      controller.close();
    },
  });
  const whole = await open(() => new Response(body)).call();
  expect(new TextDecoder().decode(await whole.rest())).toBe('abc');
  const empty = await open(() => new Response(null)).call();
  expect(await empty.read()).toBeUndefined();
  expect(await empty.rest()).toHaveLength(0);
});

test('gives up a silent server before its head and within its body', async () => {
  const silent = open(untilAborted);
  const waiting = silent.call();
  for (const act of silent.stallTimers) act();
  await expect(waiting).rejects.toThrow('stalled for 30000 ms');
  expect(silent.stallTimers.size).toBe(0);

  const half = open(({ signal }) => {
    const body = new ReadableStream({
      start: (controller) => signal?.addEventListener('abort', () => controller.error(signal.reason)),
    });
    return new Response(body);
  });
  const { read } = await half.call();
  const reading = read();
  for (const act of half.stallTimers) act();
  await expect(reading).rejects.toThrow('stalled for 30000 ms');
});

test("the caller's abort reaches the connection, even if it came first", async () => {
  const { stop, signal } = countedSignal();
  const waiting = open(untilAborted).call({ signal });
  stop.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  await expect(open(untilAborted).call({ signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow(
    'before',
  );
});

test("the caller's abort still reaches the connection between two pieces", async () => {
  const { stop, signal } = countedSignal();
  const pieces = ['a', 'b'].map((text) => new TextEncoder().encode(text));
  const body = new ReadableStream({
    start(controller) {
      for (const each of pieces) controller.enqueue(each);
    },
  });
  const { call, sent } = open(() => new Response(body));
  const { read } = await call({ signal });
  await read();
  stop.abort(new Error('enough'));
  expect(sent[0]?.init.signal?.aborted).toBe(true);
});

test.each([
  ['a read to the end', async () => new Response('x'), false],
  ['a read of an empty body', async () => new Response(null), false],
  ['a failure', () => Promise.reject(new TypeError('fetch failed')), true],
] as const)('has no listener on the signal after %s', async (_name, respond, fails) => {
  const { signal, listeners } = countedSignal();
  const calling = open(respond).call({ signal });
  expect(listeners.size).toBe(1);
  if (fails) await expect(calling).rejects.toThrow('fetch failed');
  else {
    const { read } = await calling;
    while (await read());
  }
  expect(listeners.size).toBe(0);
});
