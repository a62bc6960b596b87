import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { secServerVersion } from './sec-server-version.js';

const sent = (...headers: [string, string][]) => [page('/', { headers })];

it('fires for a version number, and names the header', () => {
  expect(outcomeOf(secServerVersion, sent(['server', 'nginx/1.25.3']))).toMatchObject({
    status: 'fail',
    evidence: [{ element: 'Server', observed: 'Server contains a version number' }],
  });
});

it('stays silent for a name without a version', () => {
  expect(outcomeOf(secServerVersion, sent(['server', 'nginx'], ['x-powered-by', 'PHP'])).status).toBe('pass');
});
