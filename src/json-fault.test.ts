import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonFault } from './json-fault.js';

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

it('returns null for exactly the texts that parse', () => {
  const spoiled = fc.tuple(fc.json(), fc.nat(), fc.string({ maxLength: 3 })).map(([text, at, more]) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + more + text.slice(place + 1);
  });
  fc.assert(
    fc.property(fc.oneof(fc.json(), spoiled, fc.string()), (text) => {
      expect(jsonFault(text) === null).toBe(parses(text));
    }),
    { numRuns: 1000 },
  );
});

it('points at the first invalid character', () => {
  expect(jsonFault('{"a":1,}')).toMatchObject({ at: 7 });
  expect(jsonFault('[1 2]')).toMatchObject({ at: 3, message: 'a comma or ] was expected, found "2"' });
  expect(jsonFault('{"a":')).toMatchObject({ message: 'a value was expected, but the text ends' });
});
