import { expect, test } from 'vitest';
import { SseParser } from './sse';

const EVENTS = [
  { event: 'message', data: 'one', id: '' },
  { event: 'change', data: 'two\nlines', id: '7' },
  { event: 'message', data: 'after a comment', id: '7' },
];
const lines = ['data: one', '', 'event: change', 'id: 7', 'data:two', 'data: lines', ''];
const TEXT = (end: string) => [...lines, ': a comment', 'data: after a comment', '', ''].join(end);

test.each([
  ['LF', '\n'],
  ['CRLF', '\r\n'],
  ['CR', '\r'],
])('lines that end in %s give the same events, wherever the text is cut', (_name, end) => {
  const text = TEXT(end);
  for (let cut = 0; cut <= text.length; cut++) {
    const parser = new SseParser();
    const events = [...parser.push(text.slice(0, cut)), ...parser.push(text.slice(cut))];
    // A CR at the end of the text may be half of a CRLF, so its event waits for what follows.
    expect([...events, ...parser.push('data')], `cut at ${cut}`).toEqual(EVENTS);
  }
});

test('an event without data is none', () => {
  expect(new SseParser().push('event: ping\nid: 3\n\n')).toEqual([]);
});
