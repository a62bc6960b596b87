import { expect, test } from 'vitest';
import { audit, event, openTimedJobs, TENANT } from '../../../test/support/timed-jobs.js';

function open() {
  const opened = openTimedJobs();
  const { addTenant, enqueue } = opened;
  addTenant('other');
  return {
    ...opened,
    make: (id: string, tenantId = TENANT) =>
      enqueue(`job ${id}`, { kind: 'audit', tenantId, audit: audit(id) }),
    hold: (id: string) => {
      const held = opened.claim().find(({ jobId }) => jobId === `job ${id}`);
      if (!held) throw new Error(`${id} is not held`);
      return held;
    },
  };
}

test('audits are listed newest first, then by id, of one tenant and one status or all', () => {
  const { clock, make, jobs, audits } = open();
  for (const id of ['b', 'a', 'c']) make(id);
  make('foreign', 'other');
  clock.ms += 1;
  make('0');
  jobs.cancel(TENANT, 'job b');
  const list = (filter: object = {}) =>
    audits.list(TENANT, { limit: 9, ...filter }).map(({ auditId }) => auditId);
  expect(list()).toEqual(['0', 'c', 'b', 'a']);
  expect(list({ limit: 2 })).toEqual(['0', 'c']);
  const [, c] = audits.list(TENANT, { limit: 9 });
  expect(list({ after: c })).toEqual(['b', 'a']);
  expect(list({ status: 'canceled' })).toEqual(['b']);
  expect(list({ status: 'queued', after: c })).toEqual(['a']);
});

test('an audit has the highest progress of its own job, and only its tenant sees it', () => {
  const { make, hold, jobs, audits } = open();
  for (const id of ['a', 'b']) make(id);
  const held = hold('a');
  const events = [event(1, { progressPct: 40 }), event(2, { progressPct: 20 })];
  jobs.renew([{ ...held, events }], 900);
  expect(audits.get(TENANT, 'a')).toMatchObject({ jobId: 'job a', progressPct: 40, status: 'running' });
  expect(audits.get(TENANT, 'b')).toMatchObject({ jobId: 'job b', progressPct: null });
  expect([audits.get('other', 'a'), audits.get(TENANT, 'none')]).toEqual([undefined, undefined]);
});

test('a part is replaced whole, in the order of its pieces, and belongs to one audit', () => {
  const { make, claim, audits } = open();
  for (const id of ['a', 'b']) make(id);
  const [a, b] = claim();
  if (!a || !b) throw new Error('not claimed');
  const key = (auditId: string, tenantId = TENANT) => ({ tenantId, auditId });
  const long = Array.from({ length: 300_000 }, (_, n) => String(n % 10)).join('');
  expect(audits.putPart(a, 'report', long)).toBe(true);
  expect(audits.getPart(key('a'), 'report')).toBe(long);
  expect(audits.putPart(a, 'other', 'o')).toBe(true);
  expect(audits.putPart(b, 'report', 'of b')).toBe(true);
  expect(audits.putPart(a, 'report', 'sh\0rt')).toBe(true);
  expect(['report', 'other', 'none'].map((part) => audits.getPart(key('a'), part))).toEqual([
    ...['sh\ufffdrt', 'o', undefined],
  ]);
  expect(audits.getPart(key('b'), 'report')).toBe('of b');
  expect(audits.getPart(key('a', 'other'), 'report')).toBeUndefined();
  expect(audits.getPieces(key('b'), 'report', 0)).toEqual({ pieces: ['of b'], total: 1 });
  expect(audits.getPieces(key('a', 'other'), 'report', 0)).toEqual({ pieces: [], total: 0 });
});

test('only the holder of an audit job writes, and only to its own audit', () => {
  const { make, enqueue, claim, settle, audits } = open();
  for (const id of ['a', 'b']) make(id);
  enqueue('no audit');
  const held = claim();
  const of = (jobId: string) => held.find((job) => job.jobId === jobId) ?? { jobId, leaseToken: 0 };
  const result = { score: 70, reportRef: 'r' };
  const write = (lease: { jobId: string; leaseToken: number }) => [
    audits.putPart(lease, 'p', 'x'),
    audits.setResult(lease, result),
  ];
  expect(write(of('job a'))).toEqual([true, true]);
  expect(write({ ...of('job b'), leaseToken: 2 })).toEqual([false, false]);
  expect([write(of('no audit')), write(of('none'))]).toEqual([
    [false, false],
    [false, false],
  ]);
  settle(of('job b'));
  expect(write(of('job b'))).toEqual([false, false]);
  expect(audits.get(TENANT, 'a')).toMatchObject({ score: 70, reportRef: 'r' });
  expect(audits.get(TENANT, 'b')).toMatchObject({ score: null, reportRef: null });
});
