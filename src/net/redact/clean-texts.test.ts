import { expect, test } from 'vitest';
import { CleanTexts } from './clean-texts.js';

test('a text that was added is known, until all are forgotten', () => {
  const texts = new CleanTexts(2);
  texts.add('a');
  expect([texts.has('a'), texts.has('b')]).toEqual([true, false]);
  texts.clear();
  expect(texts.has('a')).toBe(false);
});

test('no more are kept than were asked for, and the last one is among them', () => {
  const texts = new CleanTexts(2);
  const all = ['a', 'b', 'c', 'd', 'e'];
  for (const text of all) {
    texts.add(text);
    expect(texts.has(text)).toBe(true);
    expect(all.filter((each) => texts.has(each)).length).toBeLessThanOrEqual(2);
  }
  texts.add('e');
  expect(texts.has('e')).toBe(true);
});

test('a long text is not kept, and where none are wanted none is', () => {
  const texts = new CleanTexts(2);
  texts.add('x'.repeat(600));
  texts.add('y'.repeat(601));
  expect([texts.has('x'.repeat(600)), texts.has('y'.repeat(601))]).toEqual([true, false]);
  const none = new CleanTexts(0);
  none.add('a');
  expect(none.has('a')).toBe(false);
});
