import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JSON_DEPTH_MAX } from '../parse-json.js';
import { endOfMessage, storeJson } from './json-messages.js';

const encode = (text: string) => new TextEncoder().encode(text);
const store = async (text: string) => new TextDecoder().decode(await storeJson(encode(text)));

test.each([
  ['{"a":1}', '{"a":1},'],
  [' [1, 2 ,3] ', '1, 2 ,3,'],
  ['[]', ''],
  ['[ ]', ''],
  ['[[1],[2]]', '[1],[2],'],
  ['"text, with ] comma"', '"text, with ] comma",'],
  ['12345678901234567890', '12345678901234567890,'],
  ['\ufeff[1]', '1,'],
])('%j is stored as %j', async (body, expected) => {
  expect(await store(body)).toBe(expected);
});

test.each(['', '{', '[1,]', 'undefined', '1 2', "{'a':1}"])('%j is refused', async (body) => {
  await expect(store(body)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
});

test('refuses bytes that are not UTF-8', async () => {
  await expect(storeJson(new Uint8Array([0x22, 0xff, 0x22]))).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
  });
});

test('stored messages read back unchanged, and the end of each can be located', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.jsonValue(), { minLength: 1, maxLength: 6 }),
      fc.constantFrom(0, 1, 2),
      async (messages, indent) => {
        const stored = await storeJson(new TextEncoder().encode(JSON.stringify(messages, null, indent)));
        const text = new TextDecoder().decode(stored);
        expect(JSON.parse(`[${text.slice(0, -1)}]`)).toEqual(JSON.parse(JSON.stringify(messages)));
        for (let count = 1; count <= messages.length; count++) {
          const end = endOfMessage(stored, count);
          const first = new TextDecoder().decode(stored.subarray(0, end));
          expect(JSON.parse(`[${first.slice(0, -1)}]`)).toEqual(
            JSON.parse(JSON.stringify(messages.slice(0, count))),
          );
        }
        expect(endOfMessage(stored, messages.length + 1)).toBeUndefined();
      },
    ),
  );
});

test('agrees with JSON.parse on what is JSON', async () => {
  const fragments = [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"\\\\u00e9"',
    '"\\\\x"',
    '-',
    '0',
    '01',
    '1.5',
    '1.',
    '1e+9',
    'e',
    '+',
  ];
  const text = fc.array(fc.constantFrom(...fragments, 'true', 'nul', 'null', ' ', '\n', '"', '\u0001'), {
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        text.map((parts) => parts.join('')),
        fc.json(),
      ),
      async (json) => {
        let valid = true;
        try {
          JSON.parse(json);
        } catch {
          valid = false;
        }
        const accepted = await store(json).then(
          () => true,
          () => false,
        );
        expect(accepted).toBe(valid);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('scans a large body in pieces that may split a character', async () => {
  const messages = Array.from({ length: 20_000 }, (_, n) => ({ n, text: 'é"\\\\'.repeat(n % 7) }));
  const stored = await store(JSON.stringify(messages));
  expect(JSON.parse(`[${stored.slice(0, -1)}]`)).toEqual(messages);
});

test('refuses deep nesting', async () => {
  const text = '['.repeat(JSON_DEPTH_MAX + 1) + ']'.repeat(JSON_DEPTH_MAX + 1);
  await expect(store(text)).rejects.toThrow(/nested more than/);
});
