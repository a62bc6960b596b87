import { expect, it } from 'vitest';
import { fetched, outcomeOf, page } from '../../../test/support/audit-facts.js';
import { secLeaks } from './sec-leaks.js';

const probe = (exposed: boolean) => ({
  leaks: [
    {
      path: '/.git/HEAD',
      kind: 'git' as const,
      fetch: fetched('https://www.example.com/.git/HEAD'),
      exposed,
    },
  ],
});

it('fires for a readable repository', () => {
  expect(outcomeOf(secLeaks, [page('/')], { probes: probe(true) })).toMatchObject({
    status: 'fail',
    evidence: [{ observed: 'anyone can read /.git/HEAD: a Git repository' }],
  });
});

it('stays silent if nothing is readable, and explains how to check other sites', () => {
  const home = page('/', { headers: [['server', 'nginx']] });
  expect(outcomeOf(secLeaks, [home], { probes: probe(false) }).status).toBe('pass');
  expect(outcomeOf(secLeaks, [home])).toMatchObject({
    status: 'not-measured',
    reason: expect.stringMatching(/^not checked; use --own-site/),
  });
});
