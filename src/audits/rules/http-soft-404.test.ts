import { expect, it } from 'vitest';
import { fetched, outcomeOf } from '../../../test/support/audit-facts.js';
import { httpSoft404 } from './http-soft-404.js';

const missing = 'https://www.example.com/missing';

it('fires if a missing path returns 200', () => {
  const probes = { notFound: fetched(missing) };
  expect(outcomeOf(httpSoft404, [], { probes })).toMatchObject({
    status: 'fail',
    evidence: [{ url: missing, observed: 'status 200' }],
  });
});

it('names the target to which a missing path redirects', () => {
  const redirects = [{ fromUrl: missing, toUrl: 'https://www.example.com/', status: 302 }];
  const related = (facts: object) =>
    outcomeOf(httpSoft404, [], { probes: { notFound: fetched(missing, facts) } });
  expect(related({ redirects })).toMatchObject({ evidence: [{ related: ['https://www.example.com/'] }] });
  expect(JSON.stringify(related({}))).not.toContain('related');
});

it('stays silent for a 404, and is not measured without a response', () => {
  expect(outcomeOf(httpSoft404, []).status).toBe('pass');
  expect(outcomeOf(httpSoft404, [], { probes: { notFound: null } }).status).toBe('not-measured');
});
