import { expect, it } from 'vitest';
import { fetched, outcomeOf } from '../../../test/support/audit-facts.js';
import { httpSoft404 } from './http-soft-404.js';

const missing = 'https://www.example.com/missing';

it('fires when a missing path responses 200', () => {
  const probes = { notFound: fetched(missing) };
  expect(outcomeOf(httpSoft404, [], { probes })).toMatchObject({
    status: 'fail',
    evidence: [{ url: missing, observed: 'status 200' }],
  });
});

it('stays silent for a 404, and measures nothing without an answer', () => {
  expect(outcomeOf(httpSoft404, []).status).toBe('pass');
  expect(outcomeOf(httpSoft404, [], { probes: { notFound: null } }).status).toBe('not-measured');
});
