import { expect, test } from 'vitest';
import { appForTests, errorOf } from '../../../test/support/app-for-tests.js';

function app() {
  const made = appForTests({ limits: { bodyBytesMax: 10 } }).app;
  made.post('/echo', async (c) => c.text(await c.req.text()));
  made.post('/parse', async (c) => c.json(await c.req.json().catch(() => 'swallowed')));
  return made;
}

function chunked(chunks: readonly string[]): RequestInit {
  let pulled = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks[pulled];
      pulled += 1;
      if (chunk === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(chunk));
    },
  });
  return { method: 'POST', body, duplex: 'half' } as RequestInit;
}

const declared = (body: string) => ({
  method: 'POST',
  body,
  headers: { 'content-length': String(body.length) },
});

test('a body at the bound passes, declared or not', async () => {
  expect(await (await app().request('/echo', declared('0123456789'))).text()).toBe('0123456789');
  expect(await (await app().request('/echo', chunked(['01234', '56789']))).text()).toBe('0123456789');
});

test.each([
  ['declared', declared('0123456789a')],
  ['undeclared', chunked(['01234', '56789', 'a'])],
  ['declared as nonsense', { method: 'POST', body: 'x', headers: { 'content-length': 'many' } }],
])('a larger body, %s, is 413 and names the bound', async (_name, init) => {
  const response = await app().request('/echo', init);
  expect(response.status).toBe(413);
  expect(await errorOf(response)).toMatchObject({ code: 'BODY_TOO_LARGE', bytesMax: 10 });
});

test('a parser that replaces the error does not hide it', async () => {
  const made = appForTests({ limits: { bodyBytesMax: 10 } }).app;
  const init = {
    ...chunked(['{"code":"', 'x'.repeat(20), '"}']),
    headers: { 'content-type': 'application/json' },
  };
  expect((await errorOf(await made.request('/api/session', init)))['code']).toBe('BODY_TOO_LARGE');
});
