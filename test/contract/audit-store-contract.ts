/**
 * What every engine of the audit store guarantees: rows follow their jobs, and records are written under the job's
 * lease.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { type AuditStore, PIECE_CHARS, PIECES_PER_READ } from '../../src/audits/index.js';
import { type ClaimedJob, type JobStore, type TenantStore, uniqueKey } from '../../src/jobs/index.js';
import { uuidV7 } from '../../src/uuid.js';

export interface AuditStoreBench {
  readonly audits: AuditStore;
  readonly jobs: JobStore;
  readonly tenants: TenantStore;
}

const LEASE_MS = 60_000;

export function auditStoreContract(bench: () => AuditStoreBench): void {
  let tenantId: string;

  beforeEach(async () => {
    tenantId = uuidV7(Date.now());
    await bench().tenants.create({ id: tenantId, slug: `t-${tenantId.slice(-12)}`, name: 'T', quotas: {} });
  });

  async function enqueue(url = 'https://example.com/'): Promise<string> {
    const auditId = uuidV7(Date.now());
    const audit = { auditId, url, canonicalUrl: url, options: { pages: 3 }, recipeVersion: 'v1' };
    const [job] = await bench().jobs.enqueue([
      {
        jobId: uuidV7(Date.now()),
        tenantId,
        kind: 'audit',
        payload: { url },
        idempotencyKey: uniqueKey(),
        maxAttempts: 3,
        audit,
      },
    ]);
    expect(job).toMatchObject({ auditId, created: true });
    return auditId;
  }

  async function claim(): Promise<ClaimedJob> {
    for (;;) {
      const request = {
        workerId: 'w',
        kinds: ['audit'] as const,
        limit: 1,
        leaseMs: LEASE_MS,
        runningMax: 100,
        after: null,
      };
      const {
        jobs: [job],
      } = await bench().jobs.claim(request);
      if (!job) throw new Error('no job to claim');
      if (job.tenantId === tenantId) return job;
      await bench().jobs.settle([{ ...job, outcome: 'canceled', events: [], hadSteps: false }]);
    }
  }

  test('an audit has the state of its job', async () => {
    const auditId = await enqueue();
    expect(await bench().audits.get(tenantId, auditId)).toMatchObject({
      auditId,
      status: 'queued',
      options: { pages: 3 },
      recipeVersion: 'v1',
      score: null,
      reportRef: null,
      finishedAt: null,
    });
    const job = await claim();
    expect(await bench().audits.get(tenantId, auditId)).toMatchObject({
      status: 'running',
      jobId: job.jobId,
    });
    expect(await bench().audits.setResult(job, { score: 87, reportRef: 'report' })).toBe(true);
    await bench().jobs.settle([{ ...job, outcome: 'done', events: [], hadSteps: false }]);
    expect(await bench().audits.get(tenantId, auditId)).toMatchObject({
      status: 'done',
      score: 87,
      reportRef: 'report',
    });
  });

  test('another tenant cannot see it', async () => {
    const auditId = await enqueue();
    const stranger = uuidV7(Date.now());
    expect(await bench().audits.get(stranger, auditId)).toBeUndefined();
    expect(await bench().audits.list(stranger, { limit: 10 })).toEqual([]);
  });

  test('lists are newest first, filtered by status, page by page', async () => {
    const ids = [
      await enqueue('https://a.example/'),
      await enqueue('https://b.example/'),
      await enqueue('https://c.example/'),
    ];
    const all = await bench().audits.list(tenantId, { limit: 10 });
    expect(new Set(all.map(({ auditId }) => auditId))).toEqual(new Set(ids));
    for (const filter of [{}, { status: 'queued' as const }]) {
      const seen: string[] = [];
      for (let after: { createdAt: number; auditId: string } | undefined; ; ) {
        const [page] = await bench().audits.list(tenantId, { limit: 1, ...filter, ...(after && { after }) });
        if (!page) break;
        seen.push(page.auditId);
        after = page;
      }
      expect(seen).toEqual(all.map(({ auditId }) => auditId));
    }
    const job = await claim();
    expect(await bench().audits.list(tenantId, { limit: 10, status: 'running' })).toMatchObject([
      { jobId: job.jobId },
    ]);
    expect(await bench().audits.list(tenantId, { limit: 10, status: 'done' })).toEqual([]);
  });

  test('a job that has ended is deleted with its audit, a bounded part at a time', async () => {
    const auditId = await enqueue();
    const job = await claim();
    const remove = () => bench().jobs.remove(tenantId, job.jobId);
    expect(await remove()).toBe('running');
    await bench().audits.putPart(job, 'report', 'x'.repeat(PIECE_CHARS * 20));
    const event = { type: 'metric', message: null, data: null, progressPct: null } as const;
    const events = Array.from({ length: 700 }, (_, n) => ({ ...event, seq: job.eventSeq + 1 + n }));
    await bench().jobs.settle([{ ...job, outcome: 'done', events, hadSteps: false }]);
    expect(await bench().jobs.remove(uuidV7(Date.now()), job.jobId)).toBe('missing');
    let removal = await remove();
    for (let steps = 1; removal === 'more' && steps < 10; steps++) removal = await remove();
    expect(removal).toBe('removed');
    expect(await bench().audits.get(tenantId, auditId)).toBeUndefined();
    expect(await bench().audits.getPart({ tenantId, auditId }, 'report')).toBeUndefined();
    expect(await bench().jobs.get(tenantId, job.jobId)).toBeUndefined();
    expect(await bench().jobs.events(tenantId, job.jobId, { after: 0, limit: 10 })).toEqual([]);
    expect(await remove()).toBe('missing');
  });

  describe('parts of a record', () => {
    test('are stored whole, however long, and replaced whole', async () => {
      const auditId = await enqueue();
      const job = await claim();
      const long = `${'x'.repeat(PIECE_CHARS - 1)}😀${'y'.repeat(PIECE_CHARS * 2)}`;
      expect(await bench().audits.getPart({ tenantId, auditId }, 'crawl/0')).toBeUndefined();
      expect(await bench().audits.putPart(job, 'crawl/0', long)).toBe(true);
      expect(await bench().audits.getPart({ tenantId, auditId }, 'crawl/0')).toBe(long);
      expect(await bench().audits.putPart(job, 'crawl/0', '{}')).toBe(true);
      expect(await bench().audits.getPart({ tenantId, auditId }, 'crawl/0')).toBe('{}');
      expect(await bench().audits.putPart(job, 'empty', '')).toBe(true);
      expect(await bench().audits.getPart({ tenantId, auditId }, 'empty')).toBe('');
    });

    test('are read a few pieces at a time', async () => {
      const auditId = await enqueue();
      const job = await claim();
      const long = 'abc'.repeat(PIECE_CHARS * (PIECES_PER_READ - 2));
      await bench().audits.putPart(job, 'report', long);
      const read = (from: number) => bench().audits.getPieces({ tenantId, auditId }, 'report', from);
      const first = await read(0);
      expect([first.pieces.length, first.total]).toEqual([PIECES_PER_READ, 3 * (PIECES_PER_READ - 2)]);
      const pieces = [...first.pieces];
      while (pieces.length < first.total) pieces.push(...(await read(pieces.length)).pieces);
      expect(pieces.join('') === long).toBe(true);
      expect((await read(first.total)).pieces).toEqual([]);
      expect(await bench().audits.getPieces({ tenantId, auditId }, 'none', 0)).toEqual({
        pieces: [],
        total: 0,
      });
      const foreign = { tenantId: uuidV7(Date.now()), auditId };
      expect(await bench().audits.getPieces(foreign, 'report', 0)).toEqual({ pieces: [], total: 0 });
    });

    test('cannot be written, nor can a result, after the lease is lost', async () => {
      const auditId = await enqueue();
      const job = await claim();
      await bench().audits.putPart(job, 'opening', 'first');
      await bench().jobs.settle([{ ...job, outcome: 'release', events: [], hadSteps: false }]);
      const stale = { jobId: job.jobId, leaseToken: job.leaseToken };
      expect(await bench().audits.putPart(stale, 'opening', 'stale')).toBe(false);
      const next = await claim();
      expect(await bench().audits.putPart(stale, 'opening', 'stale')).toBe(false);
      expect(await bench().audits.setResult(stale, { score: 1, reportRef: 'stale' })).toBe(false);
      expect(await bench().audits.getPart({ tenantId, auditId }, 'opening')).toBe('first');
      expect(await bench().audits.putPart(next, 'opening', 'second')).toBe(true);
      expect(await bench().audits.getPart({ tenantId, auditId }, 'opening')).toBe('second');
      expect(await bench().audits.get(tenantId, auditId)).toMatchObject({ score: null, reportRef: null });
    });

    test('are removed with their audit when its job is pruned', async () => {
      const auditId = await enqueue();
      const job = await claim();
      await bench().audits.putPart(job, 'opening', 'text');
      await bench().jobs.settle([{ ...job, outcome: 'done', events: [], hadSteps: false }]);
      while ((await bench().jobs.prune({ olderThanMs: -1000, limit: 100 })) > 0);
      expect(await bench().audits.getPart({ tenantId, auditId }, 'opening')).toBeUndefined();
      expect(await bench().audits.get(tenantId, auditId)).toBeUndefined();
    });
  });
}
