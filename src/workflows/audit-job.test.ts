/** The audit as a job: only the holder of the lease writes its parts and its result. */
import { expect, test } from 'vitest';
import { readDocument } from '../audits/extract/index.js';
import type { AuditPorts, AuditStore } from '../audits/index.js';
import type { ClaimedJob, JobRun } from '../jobs/index.js';
import { createPolicy } from '../net/index.js';
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

/** A store that records its writes; the lease is lost after `lostAt` writes. */
function keeping(lostAt = Number.POSITIVE_INFINITY) {
  const writes: unknown[] = [];
  const parts = new Map<string, string>();
  const holds = () => writes.length <= lostAt;
  const store = {
    async putPart(lease: unknown, part: string, text: string) {
      writes.push([lease, part]);
      if (holds()) parts.set(part, text);
      return holds();
    },
    async getPart(audit: unknown, part: string) {
      expect(audit).toEqual({ tenantId: 'tenant', auditId: 'audit' });
      return parts.get(part);
    },
    async setResult(lease: unknown, result: unknown) {
      writes.push([lease, 'result', result]);
      return holds();
    },
  } as unknown as AuditStore;
  return { store, writes, parts };
}

function runOf(job: Partial<ClaimedJob> = {}): JobRun {
  return {
    job: {
      ...{ jobId: 'job', tenantId: 'tenant', tenant: 'acme', auditId: 'audit', kind: 'audit', attempt: 1 },
      ...{ maxAttempts: 3, payload: PAYLOAD, eventSeq: 0, progressPct: null, leaseToken: 7 },
      ...job,
    },
    steps: { do: (_name, _options, act) => act() },
    signal: new AbortController().signal,
    progress: () => undefined,
  };
}

test('writes every part and then the result under the lease', async () => {
  const { store, writes, parts } = keeping();
  const outcome = (await createAuditHandler({ ports, store })(PAYLOAD, runOf())) as { score: number };
  expect(
    writes.every((write) => JSON.stringify((write as unknown[])[0]) === '{"jobId":"job","leaseToken":7}'),
  ).toBe(true);
  expect(writes.at(-1)).toEqual([
    { jobId: 'job', leaseToken: 7 },
    'result',
    { score: outcome.score, reportRef: 'report' },
  ]);
  expect(parts.has('report')).toBe(true);
});

test('a worker that lost its lease stops at the first refused write', async () => {
  const whole = keeping();
  await createAuditHandler({ ports, store: whole.store })(PAYLOAD, runOf());
  for (const lostAt of [0, 1, whole.writes.length - 1]) {
    const { store, writes } = keeping(lostAt);
    const work = createAuditHandler({ ports, store })(PAYLOAD, runOf());
    await expect(work).rejects.toMatchObject({ code: 'LEASE_LOST' });
    expect(writes).toHaveLength(lostAt + 1);
  }
});

test('rejects a job without an audit', async () => {
  const { store, writes } = keeping();
  const work = createAuditHandler({ ports, store })(PAYLOAD, runOf({ auditId: null }));
  await expect(work).rejects.toMatchObject({ code: 'INTERNAL' });
  expect(writes).toEqual([]);
});
