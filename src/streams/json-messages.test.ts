import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JSON_DEPTH_MAX } from '../parse-json.js';
import { endOfMessage, jsonArray, storeJson } from './json-messages.js';

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
  ['\ufeff \t\n\r1 \t\n\r', '1,'],
  ['\n[\t]\r', ''],
  ['[{"a":[]}]', '{"a":[]},'],
])('%j is stored as %j', async (body, expected) => {
  expect(await store(body)).toBe(expected);
});

test.each(['', ' ', '\ufeff', '\ufeff\n', '{', '[1,]', 'undefined', '1 2', "{'a':1}"])(
  '%j is refused',
  async (body) => {
    await expect(store(body)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  },
);

test('refuses bytes that are not UTF-8', async () => {
  await expect(storeJson(new Uint8Array([0x22, 0xff, 0x22]))).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
  });
});

test.each([[0xef, 0xbb, 0xbe], [0xef, 0xba, 0xbf], [0xee, 0xbb, 0xbf], [0xbf], [0x0b], [0x0c], [0]])(
  'only a byte order mark and whitespace are removed in front of a value, not %j',
  async (...before) => {
    await expect(storeJson(new Uint8Array([...before, 0x31]))).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
  },
);

test('a cut-off character at the end is refused', async () => {
  await expect(storeJson(new Uint8Array([0x31, 0xc3]))).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
});

test.each([
  ['1,22,', 1, 2],
  ['1,22,', 2, 5],
  ['1,22,', 3, undefined],
  ['"a,b",2,', 1, 6],
  ['"\\",2","x",', 1, 7],
  ['"\\\\","x",', 1, 5],
  ['[1,2],{"a":1,"b":[]},3,', 1, 6],
  ['[1,2],{"a":1,"b":[]},3,', 2, 21],
  ['[1,2],{"a":1,"b":[]},3,', 3, 23],
  ['{"]":1},2,', 1, 8],
  ['"never closed', 1, undefined],
  ['"cut off \\', 1, undefined],
])('in %j, message %i ends at %j', (record, count, end) => {
  expect(endOfMessage(encode(record), count)).toBe(end);
});

test('stored messages become an array', () => {
  expect(new TextDecoder().decode(jsonArray(encode('1,{"a":2},')))).toBe('[1,{"a":2}]');
});

test('a short body is stored without a turn of the event loop, a long one lets others run in between', async () => {
  const settled = async (bytes: number) => {
    let isSettled = false;
    const storing = store(`"${'x'.repeat(bytes - 2)}"`).then(() => {
      isSettled = true;
    });
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    const atOnce = isSettled;
    await storing;
    return atOnce;
  };
  expect([await settled(64 * 1024), await settled(64 * 1024 + 1)]).toEqual([true, false]);
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
