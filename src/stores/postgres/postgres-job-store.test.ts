/** What the store makes of the rows of its statements. The contract suite runs the statements on a real server. */
import { describe, expect, test } from 'vitest';
import { scriptedPostgres } from '../../../test/support/scripted-postgres.js';
import { SondeError } from '../../errors.js';
import type { JobStatus, NewJob, Settlement } from '../../jobs/index.js';
import { PostgresJobStore } from './postgres-job-store.js';

type Answers = Parameters<typeof scriptedPostgres>[0];

function open(answers: Answers, options: { readonly mayHaveCommitted?: boolean } = {}) {
  const scripted = scriptedPostgres(answers, options);
  return { ...scripted, jobs: new PostgresJobStore(scripted.database) };
}

const job = (jobId: string, fields: Partial<NewJob> = {}): NewJob => ({
  ...{ jobId, tenantId: 't', kind: 'hello', payload: {}, idempotencyKey: `key ${jobId}`, maxAttempts: 3 },
  ...fields,
});
const audit = (auditId: string, fields: { readonly reuseMs?: number } = {}) => ({
  ...{ auditId, url: 'https://a.example/x', canonicalUrl: 'https://a.example/', options: { a: 1 } },
  ...{ recipeVersion: 'v1', ...fields },
});
const TIME = new Date(5_000);
const row = (jobId: string, status: JobStatus = 'queued') => ({
  ...{ job_id: jobId, tenant_id: 't', audit_id: null, kind: 'hello', status, attempt: 0, max_attempts: 3 },
  ...{ queued_at: TIME, run_at: TIME, started_at: null, finished_at: null, locked_until: null },
  ...{ locked_by: null, idempotency_key: 'k', payload_json: {}, last_error: null, priority: 0 },
  ...{ lease_token: 1, cancel_requested: false, event_seq: 0, progress_pct: null },
});

const conflict = () => {
  throw new SondeError('STORAGE_CONFLICT', 'exists');
};
const unavailable = () => {
  throw new SondeError('STORAGE_UNAVAILABLE', 'gone');
};

describe('enqueue', () => {
  test('jobs that were all inserted are not looked up', async () => {
    const { jobs, names } = open({ enqueue_jobs: [[{ n: 2 }]] });
    expect(await jobs.enqueue([job('a'), job('b', { kind: 'audit', audit: audit('x') })])).toEqual([
      { jobId: 'a', auditId: null, created: true },
      { jobId: 'b', auditId: 'x', created: true },
    ]);
    expect(names()).toEqual(['enqueue_jobs']);
    expect([await jobs.enqueue([]), names().length]).toEqual([[], 1]);
  });

  test('a job is sent with its defaults, and with its audit if it has one', async () => {
    const { jobs, paramsOf } = open({ enqueue_jobs: [[{ n: 2 }]] });
    const other = { kind: 'audit' as const, audit: audit('x'), priority: 4, delayMs: 70 };
    await jobs.enqueue([job('a'), job('b', other)]);
    const shared = { tenant: 't', payload: {}, attempts: 3 };
    expect(JSON.parse(String(paramsOf('enqueue_jobs')[0]?.[0]))).toEqual([
      { id: 'a', kind: 'hello', key: 'key a', priority: 0, delay: 0, ...shared },
      {
        ...{ id: 'b', kind: 'audit', key: 'key b', priority: 4, delay: 70, ...shared, audit: 'x' },
        ...{ url: 'https://a.example/x', canonical: 'https://a.example/', options: { a: 1 }, recipe: 'v1' },
      },
    ]);
  });

  test('jobs that exist are found, and those that ended in between are tried again', async () => {
    const { jobs, paramsOf } = open({
      enqueue_jobs: [[{ n: 1 }], [{ n: 1 }]],
      find_same_jobs: [
        [
          { id: 'a', job_id: 'a', audit_id: null },
          { id: 'b', job_id: 'other', audit_id: 'x' },
        ],
      ],
    });
    expect(await jobs.enqueue([job('a'), job('b'), job('c')])).toEqual([
      { jobId: 'a', auditId: null, created: true },
      { jobId: 'other', auditId: 'x', created: false },
      { jobId: 'c', auditId: null, created: true },
    ]);
    const sentIds = paramsOf('enqueue_jobs').map(([text]) =>
      (JSON.parse(String(text)) as readonly { id: string }[]).map(({ id }) => id),
    );
    expect(sentIds).toEqual([['a', 'b', 'c'], ['c']]);
  });

  test('a job that is neither inserted nor found is given up after five rounds', async () => {
    const { jobs, paramsOf } = open({ enqueue_jobs: [[{ n: 0 }]] });
    await expect(jobs.enqueue([job('a')])).rejects.toThrow('jobs could be neither queued nor found');
    expect(paramsOf('enqueue_jobs')).toHaveLength(5);
  });

  test('an audit that was done recently is reused, if the caller asks for it', async () => {
    const recent = { find_recently_done: [[{ job_id: 'old', audit_id: 'done' }], []] };
    const { jobs, paramsOf } = open({ ...recent, enqueue_jobs: [[{ n: 2 }]] });
    const asked = { kind: 'audit' as const, audit: audit('x', { reuseMs: 60 }) };
    const unasked = { kind: 'audit' as const, audit: audit('y', { reuseMs: 0 }) };
    expect(await jobs.enqueue([job('a', asked), job('b', asked), job('c', unasked)])).toEqual([
      { jobId: 'old', auditId: 'done', created: false },
      { jobId: 'b', auditId: 'x', created: true },
      { jobId: 'c', auditId: 'y', created: true },
    ]);
    expect(paramsOf('find_recently_done')).toEqual([
      ['t', 'key a', 60],
      ['t', 'key b', 60],
    ]);
  });

  const many = (count: number, last: Partial<NewJob> = {}) =>
    Array.from({ length: count }, (_, n) => job(`j${n}`, n === count - 1 ? last : {}));

  test('a hundred jobs that differ only in id, key and payload are sent as columns', async () => {
    const { jobs, names, paramsOf } = open({ enqueue_alike_jobs: [[{ n: 100 }]] });
    expect(await jobs.enqueue(many(100))).toHaveLength(100);
    expect(names()).toEqual(['enqueue_alike_jobs']);
    const [params] = paramsOf('enqueue_alike_jobs');
    expect(params?.slice(0, 5)).toEqual(['t', 'hello', 3, 0, 0]);
    expect(String(params?.[5])).toMatch(/^\{j0,j1,.*,j99\}$/);
  });

  test('the columns have the priority and the delay that the jobs share', async () => {
    const { jobs, paramsOf } = open({ enqueue_alike_jobs: [[{ n: 100 }]] });
    await jobs.enqueue(many(100).map((each) => ({ ...each, priority: 2, delayMs: 30 })));
    expect(paramsOf('enqueue_alike_jobs')[0]?.slice(3, 5)).toEqual([2, 30]);
  });

  const DIFFERENT: readonly (readonly [string, number, Partial<NewJob>])[] = [
    ['fewer than a hundred', 99, {}],
    ['one of another tenant', 100, { tenantId: 'u' }],
    ['one of another kind', 100, { kind: 'compare' }],
    ['one with other attempts', 100, { maxAttempts: 4 }],
    ['one with a priority', 100, { priority: 1 }],
    ['one with a delay', 100, { delayMs: 1 }],
    ['one with an audit', 100, { kind: 'hello', audit: audit('x') }],
  ];

  test.each(DIFFERENT)('jobs are sent as JSON: %s', async (_name, count, last) => {
    const { jobs, names } = open({ enqueue_jobs: [[{ n: count }]] });
    await jobs.enqueue(many(count, last));
    expect(names()).toEqual(['enqueue_jobs']);
  });

  test('jobs of which one exists are sent again as JSON; any other failure is reported', async () => {
    const { jobs, names } = open({ enqueue_alike_jobs: [conflict], enqueue_jobs: [[{ n: 100 }]] });
    expect(await jobs.enqueue(many(100))).toHaveLength(100);
    expect(names()).toEqual(['enqueue_alike_jobs', 'enqueue_jobs']);
    const broken = open({ enqueue_alike_jobs: [unavailable] });
    await expect(broken.jobs.enqueue(many(100))).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    const failing = open({
      enqueue_alike_jobs: [
        () => {
          throw new TypeError('x');
        },
      ],
    });
    await expect(failing.jobs.enqueue(many(100))).rejects.toThrow(TypeError);
  });
});

describe('claim', () => {
  const request = {
    ...{ workerId: 'w', kinds: ['hello' as const], limit: 2, leaseMs: 9, runningMax: 5, after: null },
  };
  const claimed = { ...row('a'), slug: 's', capped: true, suspects: true };
  const nothing = { job_id: null, capped: false, suspects: false };

  test.each([
    [undefined, { capped: true, suspects: false }],
    ['shared', { capped: true, suspects: true }],
  ] as const)('a claim of %s jobs returns the first row’s state', async (which, expected) => {
    const { jobs, paramsOf } = open({ claim_jobs: [[claimed, { ...nothing, job_id: 'b' }]] });
    const found = await jobs.claim({ ...request, ...(which && { which }) });
    expect(found).toMatchObject({ jobs: [{ jobId: 'a', tenant: 's' }, { jobId: 'b' }], ...expected });
    const NOBODY = '00000000-0000-0000-0000-000000000000';
    expect(paramsOf('claim_jobs')).toEqual([[2, ['hello'], 5, NOBODY, 9, 'w', which === undefined]]);
  });

  test('a claim that found nothing returns no jobs', async () => {
    const { jobs, paramsOf } = open({ claim_jobs: [[nothing]] });
    expect(await jobs.claim({ ...request, after: 'last', which: 'shared' })).toEqual({
      ...{ jobs: [], capped: false, suspects: false },
    });
    expect(paramsOf('claim_jobs')[0]?.[3]).toBe('last');
  });

  test('a suspect is claimed alone', async () => {
    const { jobs, paramsOf } = open({ claim_suspect: [[claimed]] });
    expect(await jobs.claim({ ...request, which: 'alone' })).toMatchObject({
      ...{ jobs: [{ jobId: 'a' }], capped: false, suspects: false },
    });
    expect(paramsOf('claim_suspect')).toEqual([[9, ['hello'], 'w']]);
  });
});

const event = (seq: number, fields: object = {}) =>
  ({ seq, type: 'metric', message: 'm', data: null, progressPct: null, ...fields }) as const;

test('a renewal sends the number of its last event, and each lease gets its own answer', async () => {
  const { jobs, paramsOf } = open({
    renew_jobs: [
      [
        { job_id: 'a', lease_token: '1', cancel_requested: false },
        { job_id: 'b', lease_token: '2', cancel_requested: true },
      ],
    ],
  });
  const leases = [
    { jobId: 'a', leaseToken: 1, events: [event(3), event(4)] },
    { jobId: 'a', leaseToken: 2, events: [] },
    { jobId: 'b', leaseToken: 2, events: [] },
  ];
  expect(await jobs.renew(leases, 70)).toEqual(['held', 'lost', 'cancel']);
  const [params] = paramsOf('renew_jobs');
  expect(JSON.parse(String(params?.[0]))).toEqual([
    { id: 'a', token: 1, seq: 4 },
    { id: 'a', token: 2, seq: 0 },
    { id: 'b', token: 2, seq: 0 },
  ]);
  expect(params?.[1]).toBe(70);
});

describe('settle', () => {
  const settlement = (jobId: string, fields: Partial<Settlement> = {}): Settlement => ({
    ...{ jobId, leaseToken: 1, outcome: 'done', events: [], hadSteps: false },
    ...fields,
  });

  test('each settlement and each event is one element of every column', async () => {
    const taken = ['a', 'b'].map((id) => ({ job_id: id, lease_token: 1 }));
    const { jobs, paramsOf, names } = open({ settle_jobs: [taken] });
    const said = [event(5, { message: 'x\0', data: { y: 1 }, progressPct: 50 }), event(6, { message: null })];
    const first = settlement('a', {
      outcome: 'release',
      delayMs: 9,
      error: 'e\0',
      events: said,
      hadSteps: true,
    });
    expect(await jobs.settle([first, settlement('b')])).toEqual([true, true]);
    expect(names()).toEqual(['settle_jobs']);
    expect(paramsOf('settle_jobs')).toEqual([
      [
        ...['{a,b}', '{1,1}', '{queued,done}', '{1,0}', '{9,0}', ['e\ufffd', null], '{6,0}', '{true,false}'],
        ...['{a,a}', '{5,6}', '{metric,metric}', ['x\ufffd', null], '{"y":1}\n', '{50,NULL}', '{1,1}'],
      ],
    ]);
  });

  test('settlements that were not taken are looked up, because an earlier attempt may have written them', async () => {
    const { jobs, paramsOf } = open({
      settle_jobs: [[{ job_id: 'a', lease_token: 1 }]],
      find_settled_jobs: [[{ job_id: 'b', lease_token: 1 }]],
    });
    expect(await jobs.settle(['a', 'b', 'c'].map((id) => settlement(id)))).toEqual([true, true, false]);
    const asked = JSON.parse(String(paramsOf('find_settled_jobs')[0]?.[0])) as readonly { id: string }[];
    expect(asked.map(({ id }) => id)).toEqual(['b', 'c']);
  });

  test('a step is recorded if a row was written', async () => {
    const { jobs } = open({ record_step: [[{}], []] });
    const step = { jobId: 'a', leaseToken: 1, leaseMs: 9, name: 's', result: '1' };
    expect([await jobs.recordStep(step), await jobs.recordStep(step)]).toEqual([true, false]);
  });
});

describe('cancel, retry and remove', () => {
  test.each([
    ['missing', [], []],
    ['changed', [{}], [row('a', 'running')]],
    ['unchanged', [], [row('a', 'canceled')]],
    ['refused', [], [row('a', 'done')]],
  ])('a cancel is %s', async (kind, cancel_job, select_job) => {
    const { jobs } = open({ cancel_job: [cancel_job], select_job: [select_job] });
    expect((await jobs.cancel('t', 'a')).kind).toBe(kind);
  });

  const RETRIES: readonly (readonly [string, boolean, Answers, expected: object])[] = [
    ['a changed row', false, { retry_job: [[row('a')]] }, { kind: 'changed', job: { jobId: 'a' } }],
    ['no such job', false, {}, { kind: 'missing' }],
    [
      'a job that is done',
      false,
      { select_job: [[row('a', 'done')]], find_twin: [[row('b')]] },
      { kind: 'refused' },
    ],
    ['a failed job', false, { select_job: [[row('a', 'failed')]] }, { kind: 'refused' }],
    [
      'a failed job with a twin',
      false,
      { select_job: [[row('a', 'failed')]], find_twin: [[row('b')]] },
      { kind: 'twin', jobId: 'b' },
    ],
    [
      'a canceled job whose twin is created at the same time',
      false,
      { retry_job: [conflict], select_job: [[row('a', 'canceled')]], find_twin: [[row('b')]] },
      { kind: 'twin', jobId: 'b' },
    ],
    ['a queued job', false, { select_job: [[row('a')]] }, { kind: 'refused' }],
    ['a queued job after a lost response', true, { select_job: [[row('a')]] }, { kind: 'changed' }],
    ['an ended job after a lost response', true, { select_job: [[row('a', 'failed')]] }, { kind: 'refused' }],
  ];

  test.each(RETRIES)('a retry finds %s', async (_name, mayHaveCommitted, answers, expected) => {
    const { jobs } = open(answers, { mayHaveCommitted });
    expect(await jobs.retry('t', 'a')).toMatchObject(expected);
  });

  test('a retry that fails for another reason is reported', async () => {
    const { jobs } = open({ retry_job: [unavailable], select_job: [[row('a', 'failed')]] });
    await expect(jobs.retry('t', 'a')).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  });

  test.each([
    ['removed', false, [{ job_id: 'a', audit_id: 'x' }], []],
    ['removed', true, [], []],
    ['running', false, [], [row('a', 'running')]],
    ['missing', false, [], []],
  ])(
    'a removal is %s (after a lost response: %j)',
    async (outcome, mayHaveCommitted, remove_job, select_job) => {
      const { jobs, paramsOf } = open(
        { remove_job: [remove_job], select_job: [select_job] },
        { mayHaveCommitted },
      );
      expect(await jobs.remove('t', 'a')).toBe(outcome);
      expect(paramsOf('delete_audits')).toEqual(remove_job.length > 0 ? [[['x']]] : []);
    },
  );
});

describe('reading', () => {
  test('a list is of one status or of all, from its beginning or after a job', async () => {
    const { jobs, sent } = open({ select_jobs: [[row('a')]] });
    expect(await jobs.list('t', { kinds: ['hello'], limit: 3 })).toMatchObject([
      { jobId: 'a', queuedAt: 5_000 },
    ]);
    await jobs.list('t', { kinds: ['hello'], limit: 3, status: 'done', after: { queuedAt: 7, jobId: 'z' } });
    const all = ['queued', 'running', 'done', 'failed', 'canceled'];
    expect(sent.map(({ name, params }) => [name, ...params])).toEqual([
      ['select_jobs', 't', ['hello'], expect.arrayContaining(all), 3],
      ['select_jobs_after', 't', ['hello'], ['done'], 3, 7, 'z'],
    ]);
  });

  test.each([
    [null, null],
    ['-3', 0],
    ['0.4', 0],
    ['12.6', 13],
  ])('the wait of the oldest job is whole and never negative: %j → %j', async (ready_ms, oldestQueuedMs) => {
    const { jobs } = open({ job_overview: [[{ queued: '4', running: '2', ready_ms }]] });
    expect(await jobs.overview()).toEqual({ queued: 4, running: 2, oldestQueuedMs, workers: [] });
  });

  test('a job that is not there is undefined', async () => {
    expect(await open({}).jobs.get('t', 'a')).toBeUndefined();
  });
});

describe('prune', () => {
  const events = (count: number) => Array.from({ length: count }, (_, n) => ({ event_id: n }));

  test('deletes jobs with their audits once few events are left', async () => {
    const pruned = [
      { job_id: 'a', audit_id: null },
      { job_id: 'b', audit_id: 'x' },
    ];
    const { jobs, paramsOf, transactions } = open({ prune_events: [events(499)], prune_jobs: [pruned] });
    expect(await jobs.prune({ olderThanMs: 7, limit: 3 })).toBe(501);
    expect(paramsOf('prune_events')).toEqual([[7, 3, 500]]);
    expect(paramsOf('prune_jobs')).toEqual([[7, 3]]);
    expect(paramsOf('delete_audits')).toEqual([[['x']]]);
    expect(transactions).toEqual([{ statementMs: 30_000 }]);
  });

  test('deletes only events while there are many, and no audits if there are none', async () => {
    const many = open({ prune_events: [events(500)] });
    expect([await many.jobs.prune({ olderThanMs: 7, limit: 3 }), many.names()]).toEqual([
      500,
      ['prune_events'],
    ]);
    const none = open({ prune_jobs: [[{ job_id: 'a', audit_id: null }]] });
    expect(await none.jobs.prune({ olderThanMs: 7, limit: 3 })).toBe(1);
    expect(none.names()).toEqual(['prune_events', 'prune_jobs']);
  });
});
