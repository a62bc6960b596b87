import { expect, it } from 'vitest';
import { fetched, outcomeOf, page } from '../../../test/support/audit-facts.js';
import { perfPageWeight } from './perf-page-weight.js';

const html =
  '<head><script src=/a.js></script><script src=/a.js></script></head><body><img src=/b.png></body>';
const checks = (a: number, b: number) =>
  [
    ['/a.js', a],
    ['/b.png', b],
  ].map(([path, bytes]) =>
    fetched(`https://www.example.com${path}`, {
      headers: [['content-length', String(bytes)]],
      bodyBytes: null,
    }),
  );

it('fires above 1.5 MB, counts each file once, and lists the largest first', () => {
  expect(
    outcomeOf(perfPageWeight, page('/', { html }), { checks: checks(500_001, 1_000_000) }),
  ).toMatchObject({
    status: 'fail',
    evidence: [
      {
        observed: '1500001 bytes in 2 of 2 files',
        related: ['https://www.example.com/b.png', 'https://www.example.com/a.js'],
      },
    ],
  });
});

it('stays silent below the limit, and is not measured without sizes', () => {
  expect(outcomeOf(perfPageWeight, page('/', { html }), { checks: checks(500_000, 1_000_000) }).status).toBe(
    'pass',
  );
  expect(outcomeOf(perfPageWeight, page('/', { html })).status).toBe('not-measured');
  expect(outcomeOf(perfPageWeight, page('/', { html: '<p>x</p>' })).status).toBe('not-applicable');
});
