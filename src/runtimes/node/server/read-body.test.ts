import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { readBody } from './read-body.js';

function messageOf(length: number | undefined): IncomingMessage {
  const incoming = new IncomingMessage(new Socket());
  if (length !== undefined) incoming.headers['content-length'] = String(length);
  return incoming;
}

test('reads an empty body, a body in one piece and a body in many', async () => {
  for (const pieces of [[], ['abc'], ['a', 'bc', 'def']]) {
    const text = pieces.join('');
    const incoming = messageOf(pieces.length === 0 ? undefined : text.length);
    const body = readBody(incoming, 1024 ** 3);
    for (const piece of [...pieces, null]) incoming.push(piece === null ? null : Buffer.from(piece));
    expect(Buffer.from(await body).toString()).toBe(text);
  }
});

test('yields to the event loop while it reads a long body', async () => {
  const piece = Buffer.alloc(64 * 1024, 1);
  const incoming = messageOf(20 * piece.length);
  const body = readBody(incoming, 1024 ** 3);
  for (let n = 0; n < 20; n++) incoming.push(piece);
  incoming.push(null);
  let turns = 0;
  let reading = true;
  const count = () => {
    turns++;
    if (reading) setImmediate(count);
  };
  setImmediate(count);
  const whole = await body;
  reading = false;
  expect(whole.every((byte) => byte === 1) && whole.length).toBe(20 * piece.length);
  expect(turns).toBeGreaterThan(10);
});

test('refuses a truncated body', async () => {
  const incoming = messageOf(10);
  const body = readBody(incoming, 1024 ** 3);
  incoming.push(Buffer.from('abc'));
  incoming.destroy();
  await expect(body).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
});
