import { expect, test } from 'vitest';
import { event, openTimedJobs, TENANT } from '../../../test/support/timed-jobs.js';

test('jobs are listed newest first, then by id, whatever their kind and status', () => {
  const { clock, addTenant, enqueue, finish, jobs } = openTimedJobs();
  addTenant('other');
  enqueue('b', { kind: 'compare' });
  enqueue('a');
  enqueue('c');
  finish('c');
  enqueue('foreign', { tenantId: 'other' });
  clock.ms += 1;
  enqueue('0');
  enqueue('d', { kind: 'compare' });
  const all = ['d', '0', 'c', 'b', 'a'];
  const kinds = ['hello', 'compare'] as const;
  for (const limit of [1, 2, 5]) {
    const found: string[][] = [];
    for (let after: { queuedAt: number; jobId: string } | undefined; ; ) {
      const page = jobs.list(TENANT, { kinds, limit, ...(after && { after }) });
      if (page.length === 0) break;
      found.push(page.map(({ jobId }) => jobId));
      after = page.at(-1);
    }
    expect(found.flat()).toEqual(all);
    expect(Math.max(...found.map((page) => page.length))).toBe(limit);
  }
  const ids = (filter: object) => jobs.list(TENANT, { kinds, limit: 9, ...filter }).map(({ jobId }) => jobId);
  expect(ids({ kinds: ['compare'] })).toEqual(['d', 'b']);
  expect(ids({ status: 'done' })).toEqual(['c']);
  expect(ids({ status: 'queued', limit: 3 })).toEqual(['d', '0']);
  expect(ids({ kinds: [] })).toEqual([]);
});

test('a listed job has its own progress: the last percentage that it reported', () => {
  const { enqueue, claim, jobs, get } = openTimedJobs();
  for (const jobId of ['a', 'b']) enqueue(jobId);
  for (const [index, { jobId, leaseToken }] of claim().entries()) {
    const events = [event(1, { progressPct: 90 }), event(2, { progressPct: 10 + index }), event(3)];
    jobs.renew([{ jobId, leaseToken, events }], 99);
  }
  const listed = jobs.list(TENANT, { kinds: ['hello'], limit: 9 });
  expect(listed.map(({ jobId, progressPct }) => [jobId, progressPct])).toEqual([
    ['b', 11],
    ['a', 10],
  ]);
  expect(get('a')).toEqual(listed[1]);
});
