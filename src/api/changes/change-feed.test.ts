import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepingLog } from '../../../test/support/keeping-log.js';
import type { Job, JobGlance } from '../../jobs/index.js';
import { ChangeFeed, FEED_LIMITS } from './change-feed.js';

const job = (jobId: string, status: JobGlance['status'], eventSeq = 1): JobGlance => ({
  jobId,
  auditId: null,
  kind: 'hello',
  status,
  eventSeq,
});

let jobs: JobGlance[];
let fails: boolean;
let idle: number;
let feed: ChangeFeed;
const never = new AbortController().signal;

beforeEach(() => {
  vi.useFakeTimers();
  jobs = [];
  fails = false;
  idle = 0;
  feed = new ChangeFeed({
    async jobs() {
      if (fails) throw new Error('the store is down');
      return jobs;
    },
    job: async (jobId) => ({ ...job(jobId, 'done', 9) }) as Job,
    log: keepingLog(),
    clock: Date.now,
    onIdle: () => {
      idle += 1;
    },
  });
});
afterEach(() => {
  feed.stop();
  vi.useRealTimers();
});

const page = (after?: string) => feed.page(after, { waitMs: 0, signal: never });
const nextPoll = () => vi.advanceTimersByTimeAsync(FEED_LIMITS.pollMs);
async function changesAfter(id: string) {
  const waiting = page(id);
  await vi.advanceTimersByTimeAsync(0);
  return (await waiting).changes.map(({ change }) => `${change.id} ${change.state}`);
}

test('reports a job that appears, changes or leaves the view', async () => {
  jobs = [job('old', 'queued'), job('far', 'running')];
  const { last } = await page();
  jobs = [job('new', 'queued'), job('old', 'running', 2)];
  await nextPoll();
  expect(await changesAfter(last)).toEqual(['new queued', 'old running', 'far done']);
});

test('a failed poll resets readers once the store is back', async () => {
  const { last } = await page();
  fails = true;
  await nextPoll();
  fails = false;
  await nextPoll();
  expect((await page(last)).reset).toBe(true);
});

test('merges quick changes of one stream, and resets readers if too many streams change', async () => {
  const { last } = await page();
  for (let n = 0; n < 10; n += 1) feed.note({ kind: 'stream', id: 'a', state: 'open' });
  feed.note({ kind: 'stream', id: 'a', state: 'closed' });
  await vi.advanceTimersByTimeAsync(FEED_LIMITS.gatherMs);
  expect(await changesAfter(last)).toEqual(['a closed']);
  for (let n = 0; n <= FEED_LIMITS.gatheredMax; n += 1) {
    feed.note({ kind: 'stream', id: `many ${n}`, state: 'open' });
  }
  await vi.advanceTimersByTimeAsync(FEED_LIMITS.gatherMs);
  expect((await page(last)).reset).toBe(true);
});

test('a feed without readers ends, and a returning reader starts over', async () => {
  const { last } = await page();
  await vi.advanceTimersByTimeAsync(FEED_LIMITS.idleMs + 2 * FEED_LIMITS.pollMs);
  expect(idle).toBe(1);
  feed.note({ kind: 'stream', id: 'unseen', state: 'open' });
  expect((await page(last)).reset).toBe(true);
});
