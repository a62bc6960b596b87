import { getEventListeners } from 'node:events';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Job, JobEvent, JobStatus } from './job.js';
import { followEvents, type JobNews, JobWakes } from './job-events.js';

const ADDRESS = { tenantId: 'tenant', jobId: 'job' };
const never = () => new AbortController().signal;

describe('wakes', () => {
  test('wake only the waiters of the job', async () => {
    const wakes = new JobWakes();
    const woken: string[] = [];
    const wait = (jobId: string, name: string) =>
      wakes.wait({ jobId }, 1e6, stop.signal).then(() => void woken.push(name));
    const stop = new AbortController();
    const waiting = [wait('a', 'a1'), wait('a', 'a2'), wait('b', 'b')];
    expect(wakes.size).toBe(2);
    wakes.wake('a');
    await Promise.all(waiting.slice(0, 2));
    expect([woken, wakes.size]).toEqual([['a1', 'a2'], 1]);
    stop.abort();
    await waiting[2];
    // An aborted waiter is removed.
    expect([woken, wakes.size]).toEqual([['a1', 'a2', 'b'], 0]);
    wakes.wake('a');
  });

  test('resolve after the timeout, and at once for an aborted signal', async () => {
    const wakes = new JobWakes();
    await wakes.wait({ jobId: 'a' }, 1, never());
    await wakes.wait({ jobId: 'a' }, 1e6, AbortSignal.abort());
    expect(wakes.size).toBe(0);
  });

  test('waking does not affect later waiters', async () => {
    const wakes = new JobWakes();
    const stop = new AbortController();
    const first = wakes.wait({ jobId: 'a' }, 1e6, stop.signal);
    wakes.wake('a');
    const second = wakes.wait({ jobId: 'a' }, 1e6, stop.signal);
    await first;
    expect(wakes.size).toBe(1);
    stop.abort();
    await second;
  });

  test('an aborted waiter does not affect the others', async () => {
    const wakes = new JobWakes();
    const stop = new AbortController();
    const first = wakes.wait({ jobId: 'a' }, 1e6, stop.signal);
    const second = wakes.wait({ jobId: 'a' }, 1e6, never());
    stop.abort();
    await first;
    expect(wakes.size).toBe(1);
    wakes.wake('a');
    await second;
  });
});

test.each(['wake', 'timeout', 'abort'] as const)(
  'a wait that ended by %s leaves no timer, listener or entry',
  async (end) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const wakes = new JobWakes();
    const stop = new AbortController();
    const waited = wakes.wait({ jobId: 'a' }, 1_000, stop.signal);
    expect([vi.getTimerCount(), getEventListeners(stop.signal, 'abort').length]).toEqual([1, 1]);
    if (end === 'wake') wakes.wake('a');
    else if (end === 'abort') stop.abort();
    else await vi.advanceTimersByTimeAsync(1_000);
    await waited;
    expect([vi.getTimerCount(), getEventListeners(stop.signal, 'abort').length, wakes.size]).toEqual([
      0, 0, 0,
    ]);
  },
);

/** A job with this many events, whose status depends on the number of events. */
function storeOf(total: number, statusAt: (events: number) => JobStatus | undefined) {
  let written = total;
  const store = {
    write: (count: number) => {
      written += count;
    },
    async get() {
      const status = statusAt(written);
      return status && ({ status } as Job);
    },
    async events(_tenant: string, _job: string, { after, limit }: { after: number; limit: number }) {
      const count = Math.max(0, Math.min(limit, written - after));
      return Array.from({ length: count }, (_, n) => ({ seq: after + n + 1 }) as JobEvent);
    },
  };
  return store;
}

const lengthsOf = async (pages: AsyncGenerator<readonly JobEvent[]>, most = 20) => {
  const lengths: number[] = [];
  for await (const page of pages) {
    lengths.push(page.length);
    if (lengths.length === most) break;
  }
  return lengths;
};

const noNews: JobNews = { wait: () => Promise.reject(new Error('waited')) };

describe('following', () => {
  test('yields all pages of an ended job without waiting', async () => {
    const store = storeOf(250, () => 'done');
    const followed = followEvents(store, noNews, { ...ADDRESS, after: 0, signal: never() });
    expect(await lengthsOf(followed)).toEqual([100, 100, 50]);
  });

  test('continues after the last event read', async () => {
    const store = storeOf(250, () => 'done');
    const followed = followEvents(store, noNews, { ...ADDRESS, after: 245, signal: never() });
    expect(await lengthsOf(followed)).toEqual([5]);
  });

  test('ends if the job does not exist', async () => {
    const followed = followEvents(
      storeOf(0, () => undefined),
      noNews,
      { ...ADDRESS, after: 0, signal: never() },
    );
    expect(await lengthsOf(followed)).toEqual([]);
  });

  test('waits for events of a running job, yields an empty page if there are none, and ends with the job', async () => {
    const store = storeOf(1, (events) => (events < 3 ? 'running' : 'done'));
    const waits: number[] = [];
    const news: JobNews = {
      async wait({ after, jobId, tenantId }, ms) {
        expect([jobId, tenantId, ms]).toEqual(['job', 'tenant', 500]);
        waits.push(after);
        if (waits.length !== 1) store.write(1);
      },
    };
    const followed = followEvents(store, news, { ...ADDRESS, after: 0, signal: never() });
    expect(await lengthsOf(followed)).toEqual([1, 0, 1, 1]);
    expect(waits).toEqual([1, 1, 2]);
  });

  test('stops when its signal is aborted', async () => {
    const stop = new AbortController();
    const news: JobNews = { wait: async () => stop.abort() };
    const followed = followEvents(
      storeOf(1, () => 'running'),
      news,
      { ...ADDRESS, after: 0, signal: stop.signal },
    );
    expect(await lengthsOf(followed)).toEqual([1]);
  });
});
