import { expect, it } from 'vitest';
import { fetched, outcomeOf, page } from '../../../test/support/audit-facts.js';
import { httpCacheStatic } from './http-cache-static.js';

const html = '<head>\n<script src="/app.3f2a91bc.js"></script><link rel=stylesheet href="/main.css"></head>';
const checks = (value: string | null) => [
  fetched('https://www.example.com/app.3f2a91bc.js', {
    headers: value === null ? [] : [['cache-control', value]],
  }),
];

it('fires for a hashed file that is cached briefly or not at all', () => {
  const outcome = outcomeOf(httpCacheStatic, page('/', { html }), { checks: checks('max-age=600') });
  expect(outcome).toMatchObject({ status: 'fail', evidence: [{ line: 2, observed: 'max-age=600' }] });
  expect(outcomeOf(httpCacheStatic, page('/', { html }), { checks: checks(null) }).status).toBe('fail');
  const never = 'no-store, max-age=31536000';
  expect(outcomeOf(httpCacheStatic, page('/', { html }), { checks: checks(never) }).status).toBe('fail');
});

it('stays silent if cached for a year, and for files without a hash', () => {
  const long = 'public, max-age=31536000, immutable';
  expect(outcomeOf(httpCacheStatic, page('/', { html }), { checks: checks(long) }).status).toBe('pass');
  const plain = '<head><script src="/app.js"></script></head>';
  expect(outcomeOf(httpCacheStatic, page('/', { html: plain }), { checks: checks(null) }).status).toBe(
    'not-applicable',
  );
});
