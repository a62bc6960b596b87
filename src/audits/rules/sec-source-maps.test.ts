import { expect, it } from 'vitest';
import { fetched, outcomeOf, page } from '../../../test/support/audit-facts.js';
import { secSourceMaps } from './sec-source-maps.js';

const leaks = (exposed: boolean) => [
  {
    path: '/app.js.map',
    kind: 'source-map' as const,
    fetch: fetched('https://www.example.com/app.js.map'),
    exposed,
  },
];

it('fires for a readable source map', () => {
  expect(outcomeOf(secSourceMaps, [page('/')], { probes: { leaks: leaks(true) } })).toMatchObject({
    status: 'fail',
    evidence: [{ element: '/app.js.map' }],
  });
});

it('stays silent for a source map that is not readable, and is not measured on other sites', () => {
  expect(outcomeOf(secSourceMaps, [page('/')], { probes: { leaks: leaks(false) } }).status).toBe('pass');
  expect(outcomeOf(secSourceMaps, [page('/')], { probes: { leaks: [] } }).status).toBe('not-applicable');
  expect(outcomeOf(secSourceMaps, [page('/')]).status).toBe('not-measured');
});
