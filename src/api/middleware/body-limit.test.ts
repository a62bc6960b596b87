import { expect, test } from 'vitest';
import { appForTests, errorOf } from '../../../test/support/app-for-tests.js';

function app() {
  const { app } = appForTests({ limits: { bodyBytesMax: 10 } });
  app.post('/echo', async (c) => c.text(await c.req.text()));
  app.post('/parse', async (c) => c.json(await c.req.json().catch(() => 'swallowed')));
  return app;
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

test('accepts a body at the limit, with or without a declared length', async () => {
  expect(await (await app().request('/echo', declared('0123456789'))).text()).toBe('0123456789');
  expect(await (await app().request('/echo', chunked(['01234', '56789']))).text()).toBe('0123456789');
});

test.each([
  ['with a declared length', declared('0123456789a')],
  ['without a declared length', chunked(['01234', '56789', 'a'])],
  ['with an invalid length', { method: 'POST', body: 'x', headers: { 'content-length': 'many' } }],
])('a larger body %s gets 413 with the limit', async (_name, init) => {
  const response = await app().request('/echo', init);
  expect(response.status).toBe(413);
  expect(await errorOf(response)).toMatchObject({ code: 'BODY_TOO_LARGE', bytesMax: 10 });
});

test('the error survives a parser that throws its own', async () => {
  const { app } = appForTests({ limits: { bodyBytesMax: 10 } });
  const init = {
    ...chunked(['{"code":"', 'x'.repeat(20), '"}']),
    headers: { 'content-type': 'application/json' },
  };
  expect((await errorOf(await app.request('/api/session', init)))['code']).toBe('BODY_TOO_LARGE');
});
