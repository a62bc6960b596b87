import { expect, it } from 'vitest';
import { ProcessAuditRecord } from './audit-record.js';

it('returns the last value that was put, after a JSON round trip', async () => {
  const record = new ProcessAuditRecord();
  expect(await record.get('crawl/0')).toBeUndefined();
  const pages = [{ url: 'https://example.com/', left: undefined }];
  await record.put('crawl/0', { pages });
  pages.push({ url: 'https://example.com/later', left: undefined });
  expect(await record.get('crawl/0')).toStrictEqual({ pages: [{ url: 'https://example.com/' }] });
  expect(await record.get('crawl/0')).toStrictEqual({ pages: [{ url: 'https://example.com/' }] });
  await record.put('crawl/0', { pages: [] });
  expect(await record.get('crawl/0')).toStrictEqual({ pages: [] });
});

it('returns a part that is too large to stay parsed', async () => {
  const record = new ProcessAuditRecord();
  const large = 'x'.repeat(20_000_000);
  await record.put('a', large);
  await record.put('b', large);
  for (const _round of [1, 2]) {
    expect((await record.get('a')) === large).toBe(true);
    expect((await record.get('b')) === large).toBe(true);
  }
});
