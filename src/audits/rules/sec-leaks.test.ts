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

it('fires for a readable repository and for a version number', () => {
  expect(outcomeOf(secLeaks, [page('/')], { probes: probe(true) })).toMatchObject({
    status: 'fail',
    evidence: [{ element: '/.git/HEAD' }],
  });
  const home = page('/', { headers: [['server', 'nginx/1.25.3']] });
  expect(outcomeOf(secLeaks, [home], { probes: probe(false) })).toMatchObject({
    evidence: [{ observed: 'nginx/1.25.3' }],
  });
});

it('stays silent where nothing shows, and does not ask unverified sites', () => {
  const home = page('/', { headers: [['server', 'nginx']] });
  expect(outcomeOf(secLeaks, [home], { probes: probe(false) }).status).toBe('pass');
  expect(outcomeOf(secLeaks, [home]).status).toBe('not-measured');
});
