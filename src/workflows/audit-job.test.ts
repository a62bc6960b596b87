/** The audit as a job: only the holder of the lease writes its parts and its result. */
import { expect, test } from 'vitest';
import { withMethods } from '../../test/support/async-port.js';
import { openInlineRecords } from '../../test/support/inline-records.js';
import { readDocument } from '../audits/extract/index.js';
import type { AuditLease, AuditPorts } from '../audits/index.js';
import { type ClaimedJob, type JobRun, uniqueKey } from '../jobs/index.js';
import { createPolicy } from '../net/index.js';
import { uuidV7 } from '../uuid.js';
import { createAuditHandler } from './audit-job.js';

const PAYLOAD = { url: 'https://www.example.com/', options: { delayMs: 0, maxPages: 1 } };

const ports: AuditPorts = {
  egress: {
    assurance: 'pinned',
    policy: createPolicy(),
    async send({ target }) {
      const isPage = target.url.pathname === '/';
      const pieces = isPage ? [new TextEncoder().encode('<!doctype html><title>One page here</title>')] : [];
      return {
        status: isPage ? 200 : 404,
        headers: [['content-type', 'text/html']],
        body: { read: async () => pieces.shift(), cancel: () => {} },
        connection: {},
        timings: () => ({}),
      };
    },
    close: async () => {},
  },
  clock: { now: () => Date.UTC(2026, 0, 1), sleep: async () => {} },
  documents: { read: async (source) => readDocument(source, (text) => text) },
  random: () => 0.5,
};

/**
 * An audit that a worker has claimed, and a record of what is written under its lease. Another worker takes over after
 * `lostAt` writes.
 */
async function openAudit(lostAt = Number.POSITIVE_INFINITY) {
  const { audits, jobs, tenantId } = await openInlineRecords();
  const auditId = uuidV7(Date.now());
  const audit = { auditId, url: PAYLOAD.url, canonicalUrl: PAYLOAD.url, options: {}, recipeVersion: 'v1' };
  const job = {
    jobId: uuidV7(Date.now()),
    tenantId,
    kind: 'audit' as const,
    payload: PAYLOAD,
    maxAttempts: 3,
  };
  await jobs.enqueue([{ ...job, idempotencyKey: uniqueKey(), audit }]);
  const bounds = { limit: 1, leaseMs: 60_000, runningMax: 9, after: null };
  const [held] = (await jobs.claim({ workerId: 'w', kinds: ['audit'], ...bounds })).jobs;
  if (!held) throw new Error('nothing was claimed');
  const writes: { readonly lease: AuditLease; readonly part: string }[] = [];
  const note = async (lease: AuditLease, part: string) => {
    if (writes.push({ lease, part }) === lostAt + 1)
      await jobs.settle([{ ...held, outcome: 'release', events: [], hadSteps: false }]);
  };
  const store = withMethods(audits, {
    async putPart(lease, part, text) {
      await note(lease, part);
      return audits.putPart(lease, part, text);
    },
    async setResult(lease, result) {
      await note(lease, 'the result');
      return audits.setResult(lease, result);
    },
  });
  const run = (change: Partial<ClaimedJob> = {}) => {
    const steps: JobRun['steps'] = { do: (_name, _options, act) => act() };
    const signal = new AbortController().signal;
    const during: JobRun['during'] = (wait) => wait();
    const call = { job: { ...held, ...change }, steps, signal, during, progress: () => undefined };
    return createAuditHandler({ ports, store })(PAYLOAD, call) as Promise<{ readonly score: number }>;
  };
  const stored = async () => ({
    audit: await audits.get(tenantId, auditId),
    report: await audits.getPart({ tenantId, auditId }, 'report'),
  });
  return { held, writes, run, stored };
}

test('writes every part and then the result under the lease', async () => {
  const { held, writes, run, stored } = await openAudit();
  const { score } = await run();
  const { jobId, leaseToken } = held;
  expect(writes.map(({ lease }) => lease)).toEqual(writes.map(() => ({ jobId, leaseToken })));
  expect(writes.slice(-2).map(({ part }) => part)).toEqual(['report', 'the result']);
  expect(await stored()).toMatchObject({
    audit: { score, reportRef: 'report' },
    report: expect.stringContaining('One page here'),
  });
});

test('a worker that lost its lease stops at the first refused write', async () => {
  const whole = await openAudit();
  await whole.run();
  for (const lostAt of [0, 1, whole.writes.length - 1]) {
    const { writes, run, stored } = await openAudit(lostAt);
    await expect(run()).rejects.toMatchObject({ code: 'LEASE_LOST' });
    expect(writes).toHaveLength(lostAt + 1);
    expect((await stored()).audit).toMatchObject({ score: null, reportRef: null });
  }
});

test('rejects a job without an audit', async () => {
  const { writes, run } = await openAudit();
  await expect(run({ auditId: null })).rejects.toMatchObject({ code: 'INTERNAL' });
  expect(writes).toEqual([]);
});
