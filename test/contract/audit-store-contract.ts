/** What every engine of the audit store keeps. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AuditStore, completeOptions, type NewAudit } from '../../src/audits/index.js';

export interface OpenAuditStore {
  readonly store: AuditStore;
  reopen(): Promise<AuditStore>;
  stop(): Promise<void>;
}

const audit = (id: string, parts: Partial<NewAudit> = {}): NewAudit => ({
  ...{ id, tenantId: 'one', url: 'https://a.example/', canonicalUrl: 'https://a.example/' },
  ...{ options: completeOptions({ pages: 7 }), recipeVersion: 'v1', createdAt: 1000 },
  ...parts,
});

export function auditStoreContract(open: () => Promise<OpenAuditStore>): void {
  describe('the audit store', () => {
    let opened: OpenAuditStore;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.stop());

    it('creates once: a repeat gives back what is there', async () => {
      const { store } = opened;
      const first = await store.createAudit(audit('a'));
      expect(first).toMatchObject({
        id: 'a',
        status: 'queued',
        score: null,
        reportRef: null,
        finishedAt: null,
        options: { pages: 7 },
      });
      await store.startAudit('a');
      expect(await store.createAudit(audit('a', { url: 'https://b.example/' }))).toMatchObject({
        status: 'running',
        url: 'https://a.example/',
      });
    });

    it('ends an audit once', async () => {
      const { store } = opened;
      await store.createAudit(audit('a'));
      expect(await store.startAudit('a')).toBe(true);
      expect(await store.startAudit('a')).toBe(false);
      const ending = { id: 'a', status: 'done', score: 91, reportRef: 'report', finishedAt: 2000 } as const;
      expect(await store.finishAudit(ending)).toBe(true);
      expect(await store.finishAudit({ ...ending, status: 'failed', score: null })).toBe(false);
      expect(await store.getAudit('one', 'a')).toMatchObject({
        status: 'done',
        score: 91,
        reportRef: 'report',
        finishedAt: 2000,
      });
      expect(await store.startAudit('a')).toBe(false);
    });

    it('keeps tenants apart', async () => {
      const { store } = opened;
      await store.createAudit(audit('a'));
      expect(await store.getAudit('two', 'a')).toBeNull();
      expect(await store.listAudits('two', { limit: 10 })).toEqual([]);
      expect(await store.removeAudit('two', 'a')).toBe(false);
      expect(await store.getAudit('one', 'a')).not.toBeNull();
    });

    it('lists the newest first, page by page, ties by id, never more than the bound', async () => {
      const { store } = opened;
      for (const [id, createdAt] of [
        ['a', 1],
        ['b', 3],
        ['c', 3],
        ['d', 2],
      ] as const)
        await store.createAudit(audit(id, { createdAt }));
      const first = await store.listAudits('one', { limit: 2 });
      expect(first.map(({ id }) => id)).toEqual(['c', 'b']);
      const last = first.at(-1);
      const rest = await store.listAudits('one', { limit: 1000, ...(last && { before: last }) });
      expect(rest.map(({ id }) => id)).toEqual(['d', 'a']);
      expect(await store.listAudits('one', { limit: 0 })).toEqual([]);
    });

    it('keeps parts of a record, the last writing of each, across a restart; and drops them with the audit', async () => {
      const { store } = opened;
      await store.createAudit(audit('a'));
      const record = store.recordOf('a');
      await record.put('crawl/0', { pages: [1] });
      await record.put('crawl/0', { pages: [1, 2], text: 'é\u2028😀' });
      const reopened = await opened.reopen();
      expect(await reopened.recordOf('a').get('crawl/0')).toEqual({ pages: [1, 2], text: 'é\u2028😀' });
      expect(await reopened.recordOf('a').get('crawl/1')).toBeUndefined();
      expect(await reopened.recordOf('b').get('crawl/0')).toBeUndefined();
      expect(await reopened.removeAudit('one', 'a')).toBe(true);
      expect(await reopened.recordOf('a').get('crawl/0')).toBeUndefined();
    });
  });
}
