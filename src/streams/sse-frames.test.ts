import fc from 'fast-check';
import { expect, test } from 'vitest';
import { controlFrame, dataFrame, dataFrames } from './sse-frames.js';

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const bytes = (value: string) => new TextEncoder().encode(value);

test('base64 matches the encoding of Node', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (data) => {
      expect(text(dataFrame(data, 'image/png'))).toBe(
        `event: data\ndata:${Buffer.from(data).toString('base64')}\n\n`,
      );
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

/** Line breaks and base64 groups that cross the borders of frames. */
test.each(['text/plain', 'application/json', 'application/octet-stream'])(
  '%s is encoded alike in frames, whatever the size of their buffer',
  (type) => {
    const part = fc.constantFrom('\r', '\n', '\r\n', 'x', 'yy', 'zzz');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), fc.integer({ min: 24, max: 100 }), (parts, size) => {
        const stored = bytes(`${parts.join('')},`);
        const frames = [...dataFrames(stored, type, () => new Uint8Array(size))];
        expect(frames.map(text).join('')).toBe(text(dataFrame(stored, type)));
        expect(Math.max(...frames.map(({ length }) => length))).toBeLessThanOrEqual(size);
      }),
    );
  },
);

test('a buffer can be used for every frame', () => {
  const buffer = new Uint8Array(64);
  let sent = '';
  for (const frame of dataFrames(bytes('a\nb'.repeat(100)), 'text/plain', () => buffer)) sent += text(frame);
  expect(sent).toBe(text(dataFrame(bytes('a\nb'.repeat(100)), 'text/plain')));
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
