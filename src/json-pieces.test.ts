import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonPieces, parseInSteps } from './json-pieces.js';
import { runSteps } from './loop-turns.js';

const parse = (text: string, pieceChars?: number) => runSteps(parseInSteps(text, pieceChars));

test('writes what JSON.stringify writes', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
      expect([...jsonPieces(value)].join('')).toBe(JSON.stringify(value));
    }),
  );
  const odd = { a: undefined, b: [undefined, null, Number.NaN], c: new Date(0), ['__proto__']: 1, d: {} };
  expect([...jsonPieces(odd)].join('')).toBe(JSON.stringify(odd));
});

test('reads what JSON.parse reads, however small the pieces', () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 8 }),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 0, max: 2 }),
      (value, pieceChars, space) => {
        const text = JSON.stringify(value, null, space);
        expect(parse(text, pieceChars)).toEqual(JSON.parse(text));
      },
    ),
    { numRuns: 500 },
  );
  const own = '{"__proto__":{"x":1},"a":[1,2],"\\"":[" ]"]}';
  expect(Object.entries(parse(own, 1) as object)).toEqual(Object.entries(JSON.parse(own)));
});

test('refuses what JSON.parse refuses', () => {
  const outcome = (act: () => unknown) => {
    try {
      return JSON.stringify(act());
    } catch (error) {
      return (error as Error).name;
    }
  };
  const part = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"',
    '1',
    ' ',
    'true',
    '\\',
    '"a":1',
    '\u00a0',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 14 }), fc.integer({ min: 1, max: 6 }), (parts, pieceChars) => {
      const text = parts.join('');
      expect(outcome(() => parse(text, pieceChars))).toBe(outcome(() => JSON.parse(text)));
    }),
    { numRuns: 20_000 },
  );
});

test('a large value is written and read in many steps', () => {
  const large = {
    rules: [1, 2].map((id) => ({ id, issues: Array.from({ length: 20_000 }, (_, n) => ({ n, text: 'x' })) })),
  };
  const pieces = [...jsonPieces(large)];
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(70_000);
  let steps = 0;
  const reading = parseInSteps(pieces.join(''));
  let step = reading.next();
  for (; !step.done; step = reading.next()) steps++;
  expect(step.value).toEqual(large);
  expect(steps).toBeGreaterThan(pieces.length);
});
