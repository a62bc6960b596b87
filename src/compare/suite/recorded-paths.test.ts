import { expect, test } from 'vitest';
import type { HarArchive } from '../../probe/index.js';
import { SUITE_PATHS_MAX } from './path-sources.js';
import { recordedPaths } from './recorded-paths.js';

type Record = Partial<HarArchive['records'][number]> & { readonly url: string };

function paths(...records: readonly Record[]): string[] {
  const whole = records.map((record) => ({ method: 'GET', kind: 'document', status: 200, ...record }));
  const archive = { creator: { name: '', version: '' }, sanitized: false, records: whole };
  return recordedPaths(archive as unknown as HarArchive).map(({ path }) => path);
}

test('returns pages and data from the origin of the first page, each once, with their queries', () => {
  expect(
    paths(
      { url: 'https://cdn.test/first.js', kind: 'script' },
      { url: 'https://a.test/' },
      { url: 'https://a.test/api?page=1', kind: 'fetch' },
      { url: 'https://a.test/' },
      { url: 'https://b.test/other' },
      { url: 'https://a.test/app.js', kind: 'script' },
      { url: 'https://a.test/form', method: 'POST' },
      { url: 'no URL' },
    ),
  ).toEqual(['/', '/api?page=1']);
});

test('uses the origin of the first request if there is no page', () => {
  expect(
    paths({ url: 'https://a.test/x', kind: 'fetch' }, { url: 'https://b.test/y', kind: 'fetch' }),
  ).toEqual(['/x']);
  expect(paths()).toEqual([]);
});

test.each([301, 302, 303, 307, 308])('keeps a redirect (%i) instead of its target', (status) => {
  expect(
    paths(
      { url: 'https://a.test/' },
      { url: 'https://a.test/old', kind: 'other', status, redirectUrl: 'https://a.test/new' },
      { url: 'https://a.test/new' },
    ),
  ).toEqual(['/', '/old']);
});

test('skips a response of unknown kind that is not a redirect', () => {
  expect(paths({ url: 'https://a.test/' }, { url: 'https://a.test/x', kind: 'other', status: 304 })).toEqual([
    '/',
  ]);
});

test('returns no more paths than a suite may have', () => {
  const many = Array.from({ length: SUITE_PATHS_MAX + 1 }, (_, at) => ({ url: `https://a.test/${at}` }));
  expect(paths(...many)).toHaveLength(SUITE_PATHS_MAX);
});
