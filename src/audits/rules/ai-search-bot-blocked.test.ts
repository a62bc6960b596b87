import { expect, it } from 'vitest';
import { fetched, outcomeOf, robotsFile } from '../../../test/support/audit-facts.js';
import { aiSearchBotBlocked } from './ai-search-bot-blocked.js';

const home = 'https://www.example.com/';
const agents = (status: number, browser = 200) => [
  { agent: 'browser', fetch: fetched(home, { status: browser }) },
  { agent: 'PerplexityBot', fetch: fetched(home, { status }) },
  { agent: 'GPTBot', fetch: fetched(home, { status: 403 }) },
];

it('fires for a search bot that robots.txt blocks, and for one that the server rejects', () => {
  const robots = [robotsFile('User-agent: OAI-SearchBot\nDisallow: /\n')];
  expect(outcomeOf(aiSearchBotBlocked, [], { robots })).toMatchObject({
    status: 'fail',
    evidence: [{ line: 2 }],
  });
  expect(outcomeOf(aiSearchBotBlocked, [], { probes: { agents: agents(403) } })).toMatchObject({
    evidence: [{ element: 'User-Agent: PerplexityBot', observed: 'status 403, and 200 for a browser' }],
  });
});

it('stays silent for training bots, for open sites, and if browsers are rejected too', () => {
  const robots = [robotsFile('User-agent: GPTBot\nDisallow: /\n')];
  expect(outcomeOf(aiSearchBotBlocked, [], { robots }).status).toBe('pass');
  expect(outcomeOf(aiSearchBotBlocked, [], { probes: { agents: agents(200) } }).status).toBe('pass');
  expect(outcomeOf(aiSearchBotBlocked, [], { probes: { agents: agents(403, 503) } }).status).toBe('pass');
});
