/**
 * The path of a receiver's URL is often a credential: only its tenant sees it, and it is never stored in plain text.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serveForTest } from '../support/serve.js';

const URL = 'https://hooks.example.com/in/plantedcanary7f3a9';

test('a webhook URL is sealed at rest, also in the stored response of its create', async () => {
  const server = await serveForTest();
  try {
    const create = () =>
      fetch(`${server.url}/api/webhooks`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'once' },
        body: JSON.stringify({ url: URL }),
      });
    const first = await create();
    expect([first.status, (await first.json()).url]).toEqual([201, URL]);
    const replayed = await create();
    expect([replayed.headers.get('idempotent-replayed'), (await replayed.json()).url]).toEqual(['true', URL]);
    const listed = await (await fetch(`${server.url}/api/webhooks`)).json();
    expect(listed.webhooks.map(({ url }: { url: string }) => url)).toEqual([URL]);
    const holding = readdirSync(server.dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => readFileSync(path).includes('plantedcanary7f3a9'));
    expect(holding).toEqual([]);
  } finally {
    await server.stop();
  }
});
