import fc from 'fast-check';
import { expect, test } from 'vitest';
import { base64, controlFrame, dataFrame, dataPieces } from './sse-frames.js';

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const bytes = (value: string) => new TextEncoder().encode(value);

test('base64 matches the encoding of Node', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (data) => {
      expect(text(base64(data))).toBe(Buffer.from(data).toString('base64'));
    }),
  );
});

test.each([
  ['text/plain', 'one', 'event: data\ndata:one\n\n'],
  ['text/plain; charset=utf-8', 'a\nb\r\nc\rd', 'event: data\ndata:a\ndata:b\ndata:c\ndata:d\n\n'],
  [
    'text/plain',
    'x\n\nevent: control\ndata:{}',
    'event: data\ndata:x\ndata:\ndata:event: control\ndata:data:{}\n\n',
  ],
  ['application/json', '{"a":1},{"b":2},', 'event: data\ndata:[{"a":1},{"b":2}]\n\n'],
  ['application/json', '{\n"a":1},', 'event: data\ndata:[{\ndata:"a":1}]\n\n'],
  ['application/octet-stream', '\u0001\n', 'event: data\ndata:AQo=\n\n'],
])('frames %s %j', (type, stored, expected) => {
  expect(text(dataFrame(bytes(stored), type))).toBe(expected);
});

const LARGE = 300_000;
const PIECE_MAX = 200 * 1024;

/** Line breaks and base64 groups that cross the borders of pieces. */
test.each([
  ['text/plain', '\n', (text: string) => text.replaceAll('\n', '\ndata:')],
  ['text/plain', '\r\n', (text: string) => text.replaceAll('\r\n', '\ndata:')],
  ['text/plain', 'xy\r\n', (text: string) => text.replaceAll('\r\n', '\ndata:')],
  ['text/plain', 'abcdefghi', (text: string) => text],
  ['application/octet-stream', 'abcde', (text: string) => btoa(text)],
] as const)('%s of %j is encoded in pieces of bounded size', (type, part, encoded) => {
  const whole = part.repeat(LARGE / part.length);
  const pieces = [...dataPieces(bytes(whole), type)];
  expect(pieces.map(text).join('')).toBe(`event: data\ndata:${encoded(whole)}\n\n`);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(PIECE_MAX);
});

test('text cannot break out of its event', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('\r', '\n', 'data:', 'event: control', 'x', ' ')), (parts) => {
      const lines = text(dataFrame(bytes(parts.join('')), 'text/plain')).split('\n');
      expect(lines.shift()).toBe('event: data');
      expect(lines.splice(-2)).toEqual(['', '']);
      expect(lines.every((line) => line.startsWith('data:'))).toBe(true);
    }),
  );
});

test('a control event is one line of JSON', () => {
  expect(text(controlFrame({ streamNextOffset: 'a:1:2', streamCursor: '5', upToDate: true }))).toBe(
    'event: control\ndata:{"streamNextOffset":"a:1:2","streamCursor":"5","upToDate":true}\n\n',
  );
});
