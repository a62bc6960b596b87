import { describe, expect, test } from 'vitest';
import { DurableFetchError, isFinal, isTemporary, refusalResponse } from './durable-fetch-error.js';
import { Retry } from './retry.js';

/** A clock that advances with each wait. With `random` 0, the default, waits are shortest. */
function createRetry(retries: number, random = 0) {
  const waits: number[] = [];
  let now = 0;
  const timing = {
    after(ms: number, act: () => void) {
      waits.push(ms);
      now += ms;
      queueMicrotask(act);
      return () => undefined;
    },
    now: () => now,
    random: () => random,
  };
  return { waits, retry: new Retry({ endpoint: 'https://sonde.test/v1/proxy', retries, timing }) };
}

const down = () => Promise.reject(new TypeError('fetch failed'));

describe('retries', () => {
  test('the first retry is immediate, later ones wait longer, up to two seconds', async () => {
    const { retry, waits } = createRetry(7, 1);
    await expect(retry.run(down)).rejects.toMatchObject({
      code: 'RETRIES_EXHAUSTED',
      message: 'no response from https://sonde.test/v1/proxy after 7 retries',
      cause: expect.any(TypeError),
    });
    expect(waits).toEqual([0, 500, 1_000, 2_000, 2_000, 2_000, 2_000]);
    const shortest = createRetry(4);
    await expect(shortest.retry.run(down)).rejects.toThrow('4 retries');
    expect(shortest.waits).toEqual([0, 250, 500, 1_000]);
  });

  test('start over after progress', async () => {
    const { retry, waits } = createRetry(2);
    await expect(retry.run(down)).rejects.toThrow();
    retry.progress();
    await expect(retry.run(down)).rejects.toThrow();
    expect(waits).toEqual([0, 250, 0, 250]);
  });

  test('wait at least as long as the server requests, but at most a minute', async () => {
    const { retry, waits } = createRetry(3);
    const retryAfters = [100, 90_000];
    const busy = () =>
      Promise.reject(
        new DurableFetchError('ANY', 'x', { status: 503, retryAfterMs: retryAfters.shift() ?? 0 }),
      );
    await expect(retry.run(busy)).rejects.toThrow();
    expect(waits).toEqual([100, 60_000, 500]);
  });

  test('a permanent error is thrown at once and unchanged', async () => {
    const { retry, waits } = createRetry(9);
    const thrown = new DurableFetchError('NOT_FOUND', 'x', { status: 404 });
    await expect(retry.run(() => Promise.reject(thrown))).rejects.toBe(thrown);
    expect(waits).toEqual([]);
  });

  test('an abort ends the work and the wait and removes its listener', async () => {
    const { retry, waits } = createRetry(9);
    const before = AbortSignal.abort(new Error('enough'));
    await expect(retry.run(down, before)).rejects.toThrow('enough');
    expect(waits).toEqual([]);

    const stop = new AbortController();
    let isCancelled = false;
    const timing = {
      after: () => () => {
        isCancelled = true;
      },
      now: () => 0,
      random: () => 0,
    };
    const waiting = new Retry({ endpoint: '', retries: 9, timing }).run(down, stop.signal);
    await Promise.resolve().then(() => stop.abort(new Error('enough')));
    await expect(waiting).rejects.toThrow('enough');
    expect(isCancelled).toBe(true);
  });

  test('a finished wait removes its listener from the signal', async () => {
    const { retry } = createRetry(1);
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    Object.assign(signal, {
      addEventListener: (...args: Parameters<typeof add>) => {
        listeners += 1;
        add(...args);
      },
      removeEventListener: (...args: Parameters<typeof remove>) => {
        listeners -= 1;
        remove(...args);
      },
    });
    await expect(retry.run(down, signal)).rejects.toThrow();
    expect(listeners).toBe(0);
  });
});

const refusal = (code: string, status?: number) =>
  new DurableFetchError(code, 'why', status === undefined ? {} : { status });

test.each([
  [refusal('ANY', 408), true],
  [refusal('ANY', 425), true],
  [refusal('ANY', 429), true],
  [refusal('ANY', 499), false],
  [refusal('ANY', 500), true],
  [refusal('UPSTREAM_RESET', 502), false],
  [refusal('STORAGE_ERROR', 500), false],
  [refusal('CREATE_IN_PROGRESS', 409), true],
  [refusal('ANY'), false],
  [new TypeError('fetch failed'), true],
])('%o is temporary: %s', (thrown, temporary) => {
  expect(isTemporary(thrown)).toBe(temporary);
});

test('only an end reported by the server is final', () => {
  expect(
    [refusal('RETRIES_EXHAUSTED'), refusal('STREAM_NOT_FOUND', 404), new TypeError()].map(isFinal),
  ).toEqual([false, true, false]);
});

test.each([
  ['ANY', 400, 400, 'false'],
  ['ANY', 409, 424, 'false'],
  ['ANY', 408, 424, 'false'],
  ['ANY', 429, 424, 'false'],
  ['ANY', 500, 424, 'false'],
  ['ANY', 499, 499, 'false'],
  ['UPSTREAM_ERROR', 500, 500, null],
  ['UPSTREAM_ERROR', 499, 499, 'false'],
  ['RETRIES_EXHAUSTED', undefined, 424, 'false'],
])('SDKs see %s with status %s as %i', (code, status, seen, shouldRetry) => {
  const { head, body } = refusalResponse(refusal(code, status));
  expect([head.status, head.headers.get('x-should-retry')]).toEqual([seen, shouldRetry]);
  expect(JSON.parse(body)).toEqual({ error: { code, message: 'why' } });
});

test('an error that is not a refusal is rethrown', () => {
  const thrown = new Error('enough');
  expect(() => refusalResponse(thrown)).toThrow(thrown);
});
