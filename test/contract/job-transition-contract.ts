/** Checks every pair of job state and event, against the pure decision and against the engine. */
import { expect, test } from 'vitest';
import {
  decideJob,
  JOB_STATUSES,
  type JobEventKind,
  type JobSnapshot,
  type JobStatus,
  type JobVerdict,
} from '../../src/jobs/index.js';
import {
  bench,
  claim,
  claimOne,
  enqueue,
  getJob,
  LEASE_MS,
  reap,
  settle,
  tenantId,
} from '../support/job-bench.js';

type Cell = JobStatus | 'stays' | 'refused';

/** One cell per state and event; a missing cell does not compile. `holds` is true for the holder's own writes. */
const TABLE: Record<JobStatus, Record<JobEventKind, Cell>> = {
  queued: {
    claim: 'running',
    renew: 'refused',
    step: 'refused',
    done: 'refused',
    failed: 'refused',
    again: 'refused',
    release: 'refused',
    canceled: 'refused',
    expire: 'refused',
    cancel: 'canceled',
    retry: 'refused',
  },
  running: {
    claim: 'refused',
    renew: 'stays',
    step: 'stays',
    done: 'done',
    failed: 'failed',
    again: 'queued',
    release: 'queued',
    canceled: 'canceled',
    expire: 'queued',
    cancel: 'stays',
    retry: 'refused',
  },
  done: {
    claim: 'refused',
    renew: 'refused',
    step: 'refused',
    done: 'refused',
    failed: 'refused',
    again: 'refused',
    release: 'refused',
    canceled: 'refused',
    expire: 'refused',
    cancel: 'refused',
    retry: 'refused',
  },
  failed: {
    claim: 'refused',
    renew: 'refused',
    step: 'refused',
    done: 'refused',
    failed: 'refused',
    again: 'refused',
    release: 'refused',
    canceled: 'refused',
    expire: 'refused',
    cancel: 'refused',
    retry: 'queued',
  },
  canceled: {
    claim: 'refused',
    renew: 'refused',
    step: 'refused',
    done: 'refused',
    failed: 'refused',
    again: 'refused',
    release: 'refused',
    canceled: 'refused',
    expire: 'refused',
    cancel: 'stays',
    retry: 'queued',
  },
};

export function transitionContract(): void {
  const cells = JOB_STATUSES.flatMap((from) =>
    (Object.keys(TABLE[from]) as JobEventKind[]).map((act) => ({ from, act, expected: TABLE[from][act] })),
  );

  test.each(cells)('$from, $act: $expected', async ({ from, act, expected }) => {
    const { jobId, leaseToken } = await bring(from);
    const before = await getJob(jobId);
    const facts: JobSnapshot = { ...before, holds: from !== 'queued' };
    expect(cellOf(decideJob(facts, act))).toBe(expected);
    await apply(act, { jobId, leaseToken });
    const { status } = await getJob(jobId);
    expect(status).toBe(expected === 'stays' || expected === 'refused' ? from : expected);
  });

  test('no lease settles twice with different outcomes', async () => {
    await enqueue();
    const held = await claimOne();
    expect(await settle(held)).toBe(true);
    for (const outcome of ['failed', 'again', 'canceled'] as const) {
      expect(await settle(held, { outcome })).toBe(false);
    }
    expect(await getJob(held.jobId)).toMatchObject({ status: 'done', attempt: 1 });
  });
}

function cellOf(verdict: JobVerdict): Cell {
  return verdict.kind === 'moves' ? verdict.to : verdict.kind;
}

/** Brings a job into the state and returns the lease of its last holder, which has expired if the job is running. */
async function bring(status: JobStatus): Promise<{ jobId: string; leaseToken: number }> {
  const jobId = await enqueue();
  if (status === 'queued') return { jobId, leaseToken: 0 };
  if (status === 'canceled') {
    const held = await claimOne();
    await settle(held, { outcome: 'canceled' });
    return held;
  }
  const held = await claimOne({ leaseMs: 0 });
  if (status !== 'running') await settle(held, { outcome: status });
  return held;
}

async function apply(act: JobEventKind, lease: { jobId: string; leaseToken: number }): Promise<void> {
  const { jobs } = bench;
  switch (act) {
    case 'claim':
      return void (await claim(1));
    case 'renew':
      return void (await jobs.renew([{ ...lease, events: [] }], LEASE_MS));
    case 'step':
      return void (await jobs.recordStep({ ...lease, name: 's', result: '1', leaseMs: LEASE_MS }));
    case 'expire':
      return void (await reap());
    case 'cancel':
      return void (await jobs.cancel(tenantId, lease.jobId));
    case 'retry':
      return void (await jobs.retry(tenantId, lease.jobId));
    default:
      return void (await settle(lease, { outcome: act }));
  }
}
