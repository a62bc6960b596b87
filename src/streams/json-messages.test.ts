import fc from 'fast-check';
import { expect, test } from 'vitest';
import { endOfMessage, storeJson } from './json-messages.js';

const store = (text: string) => new TextDecoder().decode(storeJson(new TextEncoder().encode(text)));

test.each([
  ['{"a":1}', '{"a":1},'],
  [' [1, 2 ,3] ', '1, 2 ,3,'],
  ['[]', ''],
  ['[ ]', ''],
  ['[[1],[2]]', '[1],[2],'],
  ['"text, with ] comma"', '"text, with ] comma",'],
  ['12345678901234567890', '12345678901234567890,'],
  ['\ufeff[1]', '1,'],
])('%j is stored as %j', (body, expected) => {
  expect(store(body)).toBe(expected);
});

test.each(['', '{', '[1,]', 'undefined', '1 2', "{'a':1}"])('%j is refused', (body) => {
  expect(() => store(body)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }));
});

test('bytes that are no UTF-8 are refused', () => {
  expect(() => storeJson(new Uint8Array([0x22, 0xff, 0x22]))).toThrow(
    expect.objectContaining({ code: 'INVALID_REQUEST' }),
  );
});

test('what is stored reads back as the messages, and each can be found', () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue(), { minLength: 1, maxLength: 6 }),
      fc.constantFrom(0, 1, 2),
      (messages, indent) => {
        const stored = storeJson(new TextEncoder().encode(JSON.stringify(messages, null, indent)));
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
