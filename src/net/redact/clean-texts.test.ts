import { expect, test } from 'vitest';
import { CleanTexts } from './clean-texts.js';

test('has an added text until cleared', () => {
  const texts = new CleanTexts(2);
  texts.add('a');
  expect([texts.has('a'), texts.has('b')]).toEqual([true, false]);
  texts.clear();
  expect(texts.has('a')).toBe(false);
});

test('keeps at most the given number of texts, including the last one', () => {
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

test('keeps no long text, and no text at all if the limit is zero', () => {
  const texts = new CleanTexts(2);
  texts.add('x'.repeat(600));
  texts.add('y'.repeat(601));
  expect([texts.has('x'.repeat(600)), texts.has('y'.repeat(601))]).toEqual([true, false]);
  const none = new CleanTexts(0);
  none.add('a');
  expect(none.has('a')).toBe(false);
});
