import { describe, expect, test } from 'vitest';
import { MODEL_BYTES_MAX, StreamModel } from './stream-model';

const bytes = (text: string) => new TextEncoder().encode(text);

function modelOf(contentType: string, ...chunks: readonly string[]): StreamModel {
  const model = new StreamModel(contentType);
  for (const chunk of chunks) model.push(bytes(chunk));
  return model;
}

describe('bytes', () => {
  const model = modelOf('text/plain', 'abc', 'defg', 'hi');

  test.each([
    [0, 9, 'abcdefghi'],
    [2, 4, 'cd'],
    [3, 7, 'defg'],
    [7, 100, 'hi'],
    [9, 12, ''],
    [5, 2, ''],
  ])('from %d to %d are %j', (start, end, expected) => {
    expect(new TextDecoder().decode(model.slice(start, end))).toBe(expected);
  });

  test('are full at the limit of a page', () => {
    const full = new StreamModel('application/octet-stream');
    full.push(new Uint8Array(MODEL_BYTES_MAX - 1));
    expect(full.isFull).toBe(false);
    full.push(new Uint8Array(1));
    expect(full.isFull).toBe(true);
  });
});

test('a character and a line that are cut in the middle stay whole', () => {
  const text = bytes('grün\nund rot');
  for (let cut = 0; cut <= text.length; cut++) {
    const model = new StreamModel('text/plain');
    model.push(text.subarray(0, cut));
    model.push(text.subarray(cut));
    expect(model.lines, `cut at ${cut}`).toEqual(['grün', 'und rot']);
  }
});

test('server-sent events are parsed as they arrive', () => {
  const model = modelOf('text/event-stream; charset=utf-8', 'data: a\n', '\ndata: b', '\n\ndata: c');
  expect(model.events.map(({ data }) => data)).toEqual(['a', 'b']);
});

describe('JSON', () => {
  test('a read of a stream adds its messages at once', () => {
    const model = modelOf('application/json', '[{"n":1},{"n":2}]', '[3]');
    expect(model.messages).toEqual([{ n: 1 }, { n: 2 }, 3]);
  });

  test('a document that arrives in pieces is one message, once it is complete', () => {
    const model = modelOf('application/json', '{"a":', '[1,', '2]}');
    expect(model.messages).toEqual([]);
    model.finish();
    expect(model.messages).toEqual([{ a: [1, 2] }]);
  });

  test('one read may have more messages than a call can have arguments', () => {
    const model = modelOf('application/json', JSON.stringify(Array.from({ length: 200_000 }, (_, n) => n)));
    expect([model.messages.length, model.messages.at(-1)]).toEqual([200_000, 199_999]);
  });

  test('text that is no JSON adds no message and loses no byte', () => {
    const model = modelOf('application/json', '{"a":', 'oops');
    model.finish();
    expect([model.messages, model.lines]).toEqual([[], ['{"a":oops']]);
  });
});
