import { expect, test } from 'vitest';
import { jsonEvents } from './json-events.js';

async function read(...pieces: readonly string[]): Promise<unknown[]> {
  const bytes = pieces.map((piece) => new TextEncoder().encode(piece));
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const each of bytes) controller.enqueue(each);
      controller.close();
    },
  });
  const events: unknown[] = [];
  for await (const event of jsonEvents(body) as unknown as AsyncIterable<unknown>) events.push(event);
  return events;
}

test.each([
  ['parses one event per block', ['data: 1\n\ndata: {"a":2}\n\n'], [1, { a: 2 }]],
  ['accepts CRLF line ends', ['data: 1\r\n\r\ndata: 2\r\n\r\n'], [1, 2]],
  ['accepts data without a space after the colon', ['data:1\n\n'], [1]],
  ['accepts chunks that split a line', ['da', 'ta: {"a"', ':1}\n', '\n'], [{ a: 1 }]],
  ['joins several data lines', ['data: [1,\ndata: 2]\n\n'], [[1, 2]]],
  ['ignores other fields and comments', [': hi\nevent: x\nid: 1\ndata: 1\n\n: bye\n\n'], [1]],
  ['skips [DONE]', ['data: 1\n\ndata: [DONE]\n\n'], [1]],
  ['accepts a last block without a blank line', ['data: 1\n\ndata: 2'], [1, 2]],
  ['yields nothing for an empty body', [''], []],
])('%s', async (_name, pieces, events) => {
  expect(await read(...pieces)).toEqual(events);
});
