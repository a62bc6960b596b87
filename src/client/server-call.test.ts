import { expect, test } from 'vitest';
import { callServer } from './server-call.js';

const STALL_MS = 30_000;

/** A call whose watches for silence fire when the test says; `sent` is what the platform's fetch got. */
function open(respond: (init: RequestInit) => Response | Promise<Response>) {
  const watches = new Set<() => void>();
  const sent: { url: string; init: RequestInit }[] = [];
  const settings = {
    fetch: async (url: string, init: RequestInit) => {
      sent.push({ url, init });
      return respond(init);
    },
    timing: {
      after(ms: number, act: () => void) {
        expect(ms).toBe(STALL_MS);
        watches.add(act);
        return () => void watches.delete(act);
      },
      now: () => 0,
      random: () => 0,
    },
  };
  const call = (init: RequestInit = {}) =>
    callServer(settings, 'https://sonde.test/', { ...init, stallMs: STALL_MS });
  return { call, watches, sent };
}

/** Counts who listens. */
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

test('goes without cookies, follows no redirect, and is read piece by piece', async () => {
  const { call, sent, watches } = open(() => new Response('hello', { status: 203, headers: { 'x-a': '1' } }));
  const { status, header, read } = await call({ method: 'PUT' });
  expect(sent[0]?.init).toMatchObject({ method: 'PUT', credentials: 'omit', redirect: 'error' });
  expect([status, header('X-A'), header('x-b')]).toEqual([203, '1', null]);
  expect(new TextDecoder().decode(await read())).toBe('hello');
  expect(await read()).toBeUndefined();
  expect(watches.size).toBe(0);
});

test('all that is left is one piece, and a response without a body has none', async () => {
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

test('a silent server is given up, before its head and within its body', async () => {
  const silent = open(untilAborted);
  const waiting = silent.call();
  for (const act of silent.watches) act();
  await expect(waiting).rejects.toThrow('stalled for 30000 ms');
  expect(silent.watches.size).toBe(0);

  const half = open(({ signal }) => {
    const body = new ReadableStream({
      start: (controller) => signal?.addEventListener('abort', () => controller.error(signal.reason)),
    });
    return new Response(body);
  });
  const { read } = await half.call();
  const reading = read();
  for (const act of half.watches) act();
  await expect(reading).rejects.toThrow('stalled for 30000 ms');
});

test("the caller's abort reaches the connection, also one that came before it", async () => {
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
  ['it was read to its end', async () => new Response('x'), 'read'],
  ['it was closed', async () => new Response('x'), 'close'],
  ['it failed', () => Promise.reject(new TypeError('fetch failed')), 'fail'],
] as const)('nothing listens to the signal once %s', async (_name, respond, end) => {
  const { signal, listeners } = countedSignal();
  const { call, sent } = open(respond);
  const made = call({ signal });
  expect(listeners.size).toBe(1);
  if (end === 'fail') await expect(made).rejects.toThrow('fetch failed');
  else {
    const { read, close } = await made;
    if (end === 'close') close();
    else while (await read());
    expect(sent[0]?.init.signal?.aborted).toBe(end === 'close');
  }
  expect(listeners.size).toBe(0);
});
