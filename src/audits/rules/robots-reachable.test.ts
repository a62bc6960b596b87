import { expect, it } from 'vitest';
import { outcomeOf, robotsFile } from '../../../test/support/audit-facts.js';
import { robotsReachable } from './robots-reachable.js';

it('fires for a server error, no response and a redirect', () => {
  const error = { code: 'timeout', message: 'slow' };
  const redirects = [
    { fromUrl: 'https://www.example.com/robots.txt', toUrl: 'https://www.example.com/r', status: 302 },
  ];
  for (const facts of [{ status: 503 }, { error, status: null }, { redirects }, { status: 403 }]) {
    expect(outcomeOf(robotsReachable, [], { robots: [robotsFile('', facts)] }).status).toBe('fail');
  }
});

it('stays silent for 200 and 404', () => {
  for (const status of [200, 404]) {
    expect(outcomeOf(robotsReachable, [], { robots: [robotsFile('', { status })] }).status).toBe('pass');
  }
  expect(outcomeOf(robotsReachable, [], { robots: [] }).status).toBe('not-measured');
});
