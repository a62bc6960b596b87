import { expect, onTestFinished, test, vi } from 'vitest';
import { audit, event, openTimedJobs, TENANT } from '../../../test/support/timed-jobs.js';

/** The time of this process, which limits a step of background work. */
function stopTime(...times: readonly number[]): void {
  let calls = 0;
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => times[calls++] ?? times.at(-1) ?? 0);
  onTestFinished(() => spy.mockRestore());
}

/** A job that ends at once, with this many events and pieces of a report. */
function withEnded() {
  const opened = openTimedJobs();
  const { enqueue, claim, jobs, audits, settle, database } = opened;
  const end = (jobId: string, { events = 0, pieces = 0 } = {}) => {
    const ofAudit = { kind: 'audit' as const, audit: audit(`audit of ${jobId}`) };
    enqueue(jobId, pieces > 0 ? ofAudit : {});
    const [held] = claim(1);
    if (!held) throw new Error('nothing to claim');
    jobs.recordStep({ ...held, name: 's', result: '1', leaseMs: 9 });
    for (let n = 0; n < pieces; n++) audits.putPart(held, `part ${n}`, 'x');
    settle(held, { events: Array.from({ length: events }, (_, n) => event(n + 1)) });
  };
  const count = (table: string) => Number(database.all(`SELECT count(*) AS n FROM ${table}`, [])[0]?.['n']);
  return {
    ...opened,
    end,
    prune: (limit = 9) => jobs.prune({ olderThanMs: -1, limit }),
    counts: () =>
      ['audit_jobs', 'audit_progress_events', 'audit_job_steps', 'audits', 'audit_parts'].map(count),
  };
}

test('an ended job is deleted with everything that belongs to it, and nothing else', () => {
  const { end, enqueue, prune, counts, get } = withEnded();
  stopTime(0);
  end('a', { events: 3, pieces: 3 });
  enqueue('queued');
  expect(counts()).toEqual([2, 3, 1, 1, 3]);
  expect(prune()).toBe(7);
  expect(counts()).toEqual([1, 0, 0, 0, 0]);
  expect(get('queued')?.status).toBe('queued');
  expect(prune()).toBe(0);
});

test('jobs are pruned once they ended long enough ago, oldest first, whatever their outcome', () => {
  const { clock, enqueue, claim, settle, jobs, get } = openTimedJobs();
  stopTime(0);
  for (const [n, outcome] of (['done', 'failed', 'canceled'] as const).entries()) {
    enqueue(`${9 - n}`);
    clock.ms += 10;
    for (const job of claim()) settle(job, { outcome });
  }
  enqueue('running');
  claim();
  clock.ms += 100;
  expect(jobs.prune({ olderThanMs: 120, limit: 9 })).toBe(0);
  expect(jobs.prune({ olderThanMs: 119, limit: 9 })).toBe(1);
  expect(jobs.prune({ olderThanMs: 0, limit: 1 })).toBe(1);
  expect(['9', '8', '7', 'running'].map((id) => get(id)?.status)).toEqual([
    undefined,
    undefined,
    'canceled',
    'running',
  ]);
  expect(jobs.prune({ olderThanMs: 0, limit: 9 })).toBe(1);
});

const EVENT_STEPS: readonly (readonly [events: number, steps: readonly number[]])[] = [
  [499, [500]],
  // A full last statement leaves it unknown whether there are more.
  [500, [500, 1]],
  [501, [500, 2]],
  [1_000, [500, 500, 1]],
];

test.each(EVENT_STEPS)('a job with %d events is pruned in steps of %j rows', (events, steps) => {
  const { end, prune } = withEnded();
  stopTime(0);
  end('a', { events });
  expect([...steps, 0].map(() => prune())).toEqual([...steps, 0]);
});

const PIECE_STEPS: readonly (readonly [pieces: number, steps: readonly number[]])[] = [
  [15, [16]],
  [16, [16, 1]],
  [17, [16, 2]],
];

test.each(PIECE_STEPS)('an audit with %d pieces is pruned in steps of %j rows', (pieces, steps) => {
  const { end, prune } = withEnded();
  stopTime(0);
  end('a', { pieces });
  expect([...steps, 0].map(() => prune())).toEqual([...steps, 0]);
});

test('a call ends with the job that used up its budget', () => {
  const { end, prune, get } = withEnded();
  stopTime(0);
  end('a', { events: 470 });
  end('b', { events: 30 });
  end('c');
  expect(prune()).toBe(502);
  expect(get('c')?.status).toBe('done');
  expect(prune()).toBe(1);
});

test('a call with time left goes on, also after a full statement', () => {
  const { end, prune } = withEnded();
  stopTime(0);
  for (const id of ['a', 'b']) end(id, { events: 100, pieces: 2 });
  expect(prune()).toBe(206);
});

test('a call ends when its time is over, but makes progress', () => {
  const { end, prune, get } = withEnded();
  for (const id of ['a', 'b']) end(id);
  stopTime(0, 5);
  expect([prune(), get('a'), get('b')?.status]).toEqual([1, undefined, 'done']);
});

test.each([
  ['events', { events: 120 }, 50],
  ['pieces', { pieces: 6 }, 2],
])('a call without time deletes one statement of %s', (_name, rows, deleted) => {
  const { end, prune } = withEnded();
  end('a', rows);
  stopTime(0, 5);
  expect(prune()).toBe(deleted);
});

test('a call has five milliseconds', () => {
  const { end, prune } = withEnded();
  for (const id of ['a', 'b', 'c']) end(id);
  stopTime(0, 4.9, 5);
  expect(prune()).toBe(2);
});

test('a removed job with many events takes several calls', () => {
  const { end, jobs, get } = withEnded();
  stopTime(0);
  end('a', { events: 501 });
  expect([jobs.remove(TENANT, 'a'), get('a')?.status]).toEqual(['more', 'done']);
  expect([jobs.remove(TENANT, 'a'), get('a')]).toEqual(['removed', undefined]);
});

test('the pieces of other audits stay', () => {
  const { end, jobs, audits } = withEnded();
  stopTime(0);
  for (const id of ['a', 'b']) end(id, { pieces: 2 });
  expect(jobs.remove(TENANT, 'a')).toBe('removed');
  const key = (auditId: string) => ({ tenantId: TENANT, auditId });
  expect(audits.getPart(key('audit of b'), 'part 1')).toBe('x');
  expect([audits.get(TENANT, 'audit of a'), audits.getPart(key('audit of a'), 'part 1')]).toEqual([
    undefined,
    undefined,
  ]);
});
