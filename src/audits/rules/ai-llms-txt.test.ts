import { expect, it } from 'vitest';
import { fetched, outcomeOf } from '../../../test/support/audit-facts.js';
import { aiLlmsTxt } from './ai-llms-txt.js';

const file = (text: string, status = 200) => ({
  probes: { llmsTxt: { fetch: fetched('https://www.example.com/llms.txt', { status }), text } },
});

it('fires for a file without heading, link or length', () => {
  expect(outcomeOf(aiLlmsTxt, [], file('hello'))).toMatchObject({
    status: 'fail',
    evidence: [{ observed: 'no H1' }, { observed: 'no link' }, { observed: '5 characters' }],
  });
});

it('stays silent for a useful file, and has nothing to say where there is none', () => {
  const text = '# Example\n\n> What it is.\n\n- [Docs](https://www.example.com/docs): all of it\n';
  expect(outcomeOf(aiLlmsTxt, [], file(text)).status).toBe('pass');
  expect(outcomeOf(aiLlmsTxt, [], file('', 404)).status).toBe('not-applicable');
  expect(outcomeOf(aiLlmsTxt, []).status).toBe('not-applicable');
});
