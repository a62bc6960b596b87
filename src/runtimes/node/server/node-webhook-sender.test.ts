import { afterEach, expect, test } from 'vitest';
import { type Listening, listenHttp } from '../../../../test/support/listen.js';
import { createWebhookSender } from '../../../api/webhook-sender.js';
import { createOutboundClient } from '../net.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function outboundFor(openLoopback: boolean, allowPrivate: readonly string[] = []) {
  const outbound = createWebhookSender({
    net: { allowPrivate },
    openOutbound: createOutboundClient,
    openLoopback,
  });
  closing.push(() => outbound.close());
  return outbound;
}

async function receiver(handler: Parameters<typeof listenHttp>[0]): Promise<Listening> {
  const listening = await listenHttp(handler);
  closing.push(() => listening.close());
  return listening;
}

const call = (url: string) => ({
  url,
  headers: [['content-type', 'application/json']] as const,
  body: new TextEncoder().encode('{}'),
  signal: new AbortController().signal,
});

const LOOPBACK = ['http://127.0.0.1:8089/', 'http://127.1/', 'http://localhost:8080/x', 'http://[::1]:80/'];
const NEVER = [
  'http://10.0.0.1/hook',
  'http://192.168.0.1/',
  'http://169.254.169.254/latest',
  'http://[fd00::1]/',
  'http://0.0.0.0/',
  'http://metadata.google.internal/',
  'ftp://example.com/',
  'http://example.com/hook',
  'http://user:pass@example.com/',
  'http://127.0.0.1@10.0.0.1/',
  'http://2130706433.example.internal/',
  'not a url',
];

test.each([true, false])(
  'refuses blocked URLs by their text alone, with loopback allowed: %s',
  (openLoopback) => {
    const outbound = outboundFor(openLoopback);
    expect(LOOPBACK.filter((url) => outbound.refusal(url) === undefined)).toEqual(
      openLoopback ? LOOPBACK : [],
    );
    expect(NEVER.filter((url) => outbound.refusal(url) === undefined)).toEqual([]);
    expect(outbound.refusal('https://example.com/hook')).toBeUndefined();
  },
);

test('allows a named private origin and no other', () => {
  const outbound = outboundFor(false, ['http://127.0.0.1:8080']);
  expect(outbound.refusal('http://127.0.0.1:8080/hook')).toBeUndefined();
  expect(outbound.refusal('http://127.0.0.1:8081/hook')).toMatchObject({ rule: 'loopback' });
});

test('delivers to loopback only if allowed, also by the name localhost', async () => {
  const hook = await receiver((_request, response) => response.end('{"done":true}'));
  const reply = await outboundFor(true).deliver(call(`${hook.origin}/hook`));
  expect([reply.status, new TextDecoder().decode(reply.body)]).toEqual([200, '{"done":true}']);
  await expect(outboundFor(false).deliver(call(`${hook.origin}/hook`))).rejects.toMatchObject({
    code: 'ssrf_blocked',
  });
  expect((await outboundFor(true).deliver(call(`http://localhost:${hook.port}/`))).status).toBe(200);
});

test('follows no redirect, and reads a response only up to the limit', async () => {
  let requests = 0;
  const hook = await receiver((request, response) => {
    requests++;
    if (request.url === '/big') return response.end('x'.repeat(1_000_000));
    return response.writeHead(307, { location: '/elsewhere' }).end();
  });
  const outbound = outboundFor(true);
  expect((await outbound.deliver(call(`${hook.origin}/hook`))).status).toBe(307);
  expect(requests).toBe(1);
  expect((await outbound.deliver(call(`${hook.origin}/big`))).body).toHaveLength(64 * 1024);
});

test('many loopback origins share a few clients', async () => {
  const outbound = outboundFor(true);
  for (let n = 0; n < 20; n++) {
    const hook = await receiver((_request, response) => response.end());
    expect((await outbound.deliver(call(`${hook.origin}/`))).status).toBe(200);
  }
});
