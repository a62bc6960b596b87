/** Webhook deliveries by the tenant's Durable Object. */
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startFaultyEdge } from '../support/faulty-edge.js';
import { listenHttp } from '../support/listen.js';

interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

test('the ledger delivers the outcome of a job, signed, and again after a refusal, also across a kill', async () => {
  const received: Delivery[] = [];
  const target = await listenHttp((request, response) => {
    let body = '';
    request.on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => {
      if (request.url !== '/hook') return response.end('hello');
      received.push({ headers: request.headers, body });
      return response.writeHead(received.length === 1 ? 500 : 204).end();
    });
  });
  const folder = mkdtempSync(join(tmpdir(), 'sonde-edge-webhooks-'));
  const start = () => startFaultyEdge({ folder, variables: { SONDE_ALLOW_PRIVATE: target.origin } });
  let edge = await start();
  onTestFinished(async () => {
    await edge.stop();
    await target.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(edge.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await response.json()) as { secret: string; jobId: string };
  };
  const { secret } = await post('/api/webhooks', { url: `${target.origin}/hook`, events: ['hello.done'] });
  const { jobId } = await post('/api/jobs', { kind: 'hello', url: `${target.origin}/` });
  await vi.waitFor(() => expect(received).toHaveLength(1), { timeout: 90_000 });
  await edge.kill();
  edge = await start();
  // No request wakes the object: its alarm fires when the delivery is due.
  await vi.waitFor(() => expect(received).toHaveLength(2), { timeout: 90_000, interval: 200 });
  const [first, second] = received;
  const {
    'webhook-id': id,
    'webhook-timestamp': stamp,
    'webhook-signature': signature,
  } = second?.headers ?? {};
  expect(id).toBe(first?.headers['webhook-id']);
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${stamp}.${second?.body}`).digest('base64');
  expect(signature).toBe(`v1,${expected}`);
  expect(JSON.parse(second?.body ?? '')).toMatchObject({
    type: 'hello.done',
    data: { jobId, status: 'done' },
  });
}, 300_000);
