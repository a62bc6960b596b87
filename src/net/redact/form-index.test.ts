/** The index finds exactly what a plain search for each string finds, even if the strings share a prefix. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FormIndex } from './form-index.js';
import { MASK, Mask } from './mask.js';

function masked(text: string, forms: readonly string[]): string {
  const mask = new Mask(text);
  const index = new FormIndex();
  for (const form of forms) index.add(form);
  index.mask(text, mask);
  return mask.apply();
}

function maskedPlainly(text: string, forms: readonly string[]): string {
  const mask = new Mask(text);
  for (const form of forms) {
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1))
      mask.add(at, at + form.length);
  }
  return mask.apply();
}

test('the longest of several forms with a common prefix wins', () => {
  const forms = ['prefix-a', 'prefix-ab', 'prefix-abc', 'prefix-b', 'prefix'];
  expect(masked('prefix-abd prefix-abcd prefix-c prefiy', forms)).toBe(`${MASK}d ${MASK}d ${MASK}-c prefiy`);
});

test('finds what a plain search finds', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', '\u00e9'), minLength: 6, maxLength: 12 });
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\u00e9'), maxLength: 120 });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 20 }), text, (forms, input) => {
      expect(masked(input, forms)).toBe(maskedPlainly(input, forms));
    }),
    { numRuns: 500 },
  );
});

test('finds a form until it was removed as often as it was added', () => {
  const index = new FormIndex();
  const found = (): string => {
    const mask = new Mask('a secret-1 b');
    index.mask('a secret-1 b', mask);
    return mask.apply();
  };
  for (const form of ['secret-1', 'secret-1', 'secret-2', 'short']) index.add(form);
  index.remove('secret-1');
  index.remove('unknown');
  expect(found()).toBe(`a ${MASK} b`);
  index.remove('secret-1');
  expect(found()).toBe('a secret-1 b');
});

test('finds a form that was added after an earlier search', () => {
  const index = new FormIndex();
  const found = (text: string): string => {
    const mask = new Mask(text);
    index.mask(text, mask);
    return mask.apply();
  };
  index.add('prefix-a');
  expect(found('prefix-a prefix-bc')).toBe(`${MASK} prefix-bc`);
  index.add('prefix-bc');
  expect(found('prefix-a prefix-bc')).toBe(`${MASK} ${MASK}`);
  index.remove('prefix-a');
  expect(found('prefix-a prefix-bc')).toBe(`prefix-a ${MASK}`);
});

test('finds a form of six characters at the end, and nothing once its group is empty', () => {
  expect(masked('a secret', ['secret', 'short'])).toBe(`a ${MASK}`);
  const index = new FormIndex();
  index.add('secret');
  index.remove('secret');
  const mask = new Mask('a secret b');
  index.mask('a secret b', mask);
  expect(mask.apply()).toBe('a secret b');
});
