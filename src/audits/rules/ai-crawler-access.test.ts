import { expect, it } from 'vitest';
import { outcomeOf, robotsFile } from '../../../test/support/audit-facts.js';
import { aiCrawlerAccess } from './ai-crawler-access.js';

it('fires for each blocked agent, with its class and line', () => {
  const robots = [robotsFile('User-agent: GPTBot\nUser-agent: claude-user\nDisallow: /\n')];
  expect(outcomeOf(aiCrawlerAccess, [], { robots })).toMatchObject({
    status: 'fail',
    evidence: [
      { element: 'User-agent: GPTBot', line: 3, observed: 'training: Disallow: /' },
      { element: 'User-agent: Claude-User', line: 3, observed: 'user: Disallow: /' },
    ],
  });
});

it('stays silent if all may read the home page', () => {
  expect(outcomeOf(aiCrawlerAccess, []).status).toBe('pass');
  const robots = [robotsFile('User-agent: *\nDisallow: /private\n')];
  expect(outcomeOf(aiCrawlerAccess, [], { robots }).status).toBe('pass');
  expect(outcomeOf(aiCrawlerAccess, [], { robots: [robotsFile('', { status: 404 })] }).status).toBe('pass');
});
