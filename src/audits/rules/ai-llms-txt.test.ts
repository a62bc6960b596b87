import { expect, it } from 'vitest';
import { fetched, outcomeOf } from '../../../test/support/audit-facts.js';
import { aiLlmsTxt } from './ai-llms-txt.js';

const file = (text: string, status = 200, type = 'text/plain') => ({
  probes: {
    llmsTxt: {
      fetch: fetched('https://www.example.com/llms.txt', { status, headers: [['content-type', type]] }),
      text,
    },
  },
});

it('fires for a file without heading, link or length', () => {
  expect(outcomeOf(aiLlmsTxt, [], file('hello'))).toMatchObject({
    status: 'fail',
    evidence: [{ observed: 'no H1' }, { observed: 'no link' }, { observed: '5 characters' }],
  });
});

it.each([file('<p>Home', 200, 'text/html; charset=utf-8'), file('\n<!DOCTYPE html><title>Home</title>')])(
  'does not judge an HTML page that a site returns for every path',
  (facts) => {
    expect(outcomeOf(aiLlmsTxt, [], facts).status).toBe('not-applicable');
  },
);

it('stays silent for a useful file, and does not apply without one', () => {
  const text = '# Example\n\n> What it is.\n\n- [Docs](https://www.example.com/docs): all of it\n';
  expect(outcomeOf(aiLlmsTxt, [], file(text)).status).toBe('pass');
  expect(outcomeOf(aiLlmsTxt, [], file('', 404)).status).toBe('not-applicable');
  expect(outcomeOf(aiLlmsTxt, []).status).toBe('not-applicable');
});
