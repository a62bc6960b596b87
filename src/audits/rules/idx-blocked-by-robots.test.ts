import { expect, it } from 'vitest';
import { outcomeOf, page, robotsFile } from '../../../test/support/audit-facts.js';
import { idxBlockedByRobots } from './idx-blocked-by-robots.js';

const robots = [robotsFile('User-agent: Googlebot\nDisallow: /private\n')];

it('fires for a blocked path, with the deciding line', () => {
  expect(outcomeOf(idxBlockedByRobots, page('/private/a', { fetch: null }), { robots })).toMatchObject({
    status: 'fail',
    evidence: [{ line: 2, observed: 'Disallow: /private' }],
  });
});

it('stays silent for open paths, and does not apply without a robots.txt', () => {
  expect(outcomeOf(idxBlockedByRobots, page('/open'), { robots }).status).toBe('pass');
  const missing = { robots: [robotsFile('', { status: 404 })] };
  expect(outcomeOf(idxBlockedByRobots, page('/private'), missing).status).toBe('not-applicable');
});
