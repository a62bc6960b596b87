import { expect, test } from 'vitest';
import { assemble } from './assemble';

const event = (data: unknown) => ({
  event: 'message',
  id: '',
  data: typeof data === 'string' ? data : JSON.stringify(data),
});

test.each([
  [
    'chat completions of OpenAI',
    [{ choices: [{ delta: { content: 'Hel' } }] }, { choices: [{ delta: { content: 'lo' } }] }],
  ],
  ['older completions', [{ choices: [{ text: 'Hel' }] }, { choices: [{ text: 'lo' }] }]],
  ['responses of OpenAI', [{ type: 'response.output_text.delta', delta: 'Hel' }, { delta: 'lo' }]],
  ['messages of Anthropic', [{ delta: { type: 'text_delta', text: 'Hel' } }, { delta: { text: 'lo' } }]],
])('assembles %s', (_name, deltas) => {
  expect(assemble([...deltas.map(event), event('[DONE]')])).toBe('Hello');
});

test('skips what it does not understand', () => {
  const others = ['no JSON', { choices: [] }, { choices: [{ delta: { content: 3 } }] }, { delta: null }, {}];
  expect(assemble([...others.map(event), event({ delta: 'text' })])).toBe('text');
  expect(assemble(others.map(event))).toBeNull();
});
