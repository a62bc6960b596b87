import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from './parse-json.js';

test.each([
  ['', 1, 1],
  ['{', 1, 2],
  ['{"a":1,}', 1, 8],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
  ['{"a": tru}', 1, 7],
  ['[1, 2', 1, 6],
  ['[1, ]', 1, 5],
  ['{"a"}', 1, 5],
  ['{a: 1}', 1, 2],
  ['{"a": "x\ny"}', 1, 7],
  ['[1}', 1, 3],
  ['1 2', 1, 3],
  ['{"a": 01}', 1, 8],
])('%j has an error at %d:%d', (text, line, column) => {
  expect(parseJson(text)).toEqual({ ok: false, line, column });
});

test('accepts a byte order mark', () => {
  expect(parseJson('\uFEFF{"a":1}')).toEqual({ ok: true, value: { a: 1 } });
});

test('agrees with JSON.parse on every text, and reports a position inside it', () => {
  const nearJson = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '}', '"', ' ', '\\', '0', 'é'))
    .map(
      ([text, at, extra]) =>
        text.slice(0, at % (text.length + 1)) + extra + text.slice((at + 1) % (text.length + 1)),
    );
  fc.assert(
    fc.property(fc.oneof(fc.json(), nearJson), (text) => {
      const parsed = parseJson(text);
      if (parsed.ok) {
        expect(parsed.value).toEqual(JSON.parse(text));
        return;
      }
      expect(() => JSON.parse(text)).toThrow();
      const lines = text.split('\n');
      expect(parsed.line).toBeLessThanOrEqual(lines.length);
      expect(parsed.column).toBeLessThanOrEqual((lines[parsed.line - 1] ?? '').length + 1);
    }),
  );
});

test('reports the end of a truncated text', () => {
  expect(parseJson('{"a": [1, 2, {"b": ')).toEqual({ ok: false, line: 1, column: 20 });
});
