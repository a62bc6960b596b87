import { get } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { report } from '../support/fault-report.js';
import { DISK_KINDS, SmallDisk } from '../support/small-disk.js';

let disk: SmallDisk | undefined;
afterEach(() => disk?.remove());

/** A unique record, so that any trace of it can be found. */
function recordOf(n: number, bytes: number): string {
  return `<${n}:${'x'.repeat(bytes)}>`;
}

async function append(url: string, body: string): Promise<string> {
  const response = await fetch(`${url}/v1/stream/s`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body,
  });
  const text = await response.text();
  return response.status < 300 ? 'done' : `${response.status} ${JSON.parse(text).error.code}`;
}

function follow(url: string): { shown(): string } {
  let text = '';
  const request = get(`${url}/v1/stream/s?offset=-1&live=sse`, (response) => {
    response.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    response.on('error', () => {});
  });
  request.on('error', () => {});
  return {
    shown: () =>
      text
        .split('\n\n')
        .filter((event) => event.startsWith('event: data\ndata:'))
        .map((event) => event.slice('event: data\ndata:'.length))
        .join(''),
  };
}

const contentOf = async (url: string) => (await fetch(`${url}/v1/stream/s`)).text();

test.each(DISK_KINDS)(
  'a full %s is 507, acknowledges and shows nothing, and recovers once there is room',
  async (system) => {
    disk = new SmallDisk(system);
    let running = await disk.start();
    await fetch(`${running.url}/v1/stream/s`, { method: 'PUT', headers: { 'content-type': 'text/plain' } });
    const reader = follow(running.url);
    const acked: string[] = [];
    let n = 0;
    const write = async (bytes: number) => {
      const record = recordOf(n++, bytes);
      const outcome = await append(running.url, record);
      if (outcome === 'done') acked.push(record);
      return outcome;
    };
    for (let i = 0; i < 20; i++) expect(await write(1000)).toBe('done');

    disk.fill();
    let refused = 0;
    for (let i = 0; i < 400; i++) {
      const outcome = await write(i % 2 === 0 ? 60_000 : 100);
      if (outcome === 'done') continue;
      expect(outcome).toBe('507 STORAGE_FULL');
      refused++;
    }
    expect(refused).toBeGreaterThan(100);
    const whileFull = acked.length;
    expect(await contentOf(running.url)).toBe(acked.join(''));
    expect((await fetch(`${running.url}/api/ready`)).status).toBe(503);

    if (system === 'ext4') {
      // Killed and restarted without a free byte, the server still serves reads and refuses what it cannot store.
      await running.kill();
      running = await disk.start();
      expect(await contentOf(running.url)).toBe(acked.join(''));
      expect(await write(60_000)).toBe('507 STORAGE_FULL');
    }

    const again = system === 'ext4' ? follow(running.url) : reader;
    disk.free();
    for (let i = 0; i < 20; i++) expect(await write(20_000)).toBe('done');
    expect(await contentOf(running.url)).toBe(acked.join(''));
    await expect.poll(() => again.shown().length, { timeout: 10_000 }).toBe(acked.join('').length);
    expect(again.shown()).toBe(acked.join(''));

    if (system === 'ext4') {
      await running.kill();
      running = await disk.start();
      expect(await contentOf(running.url)).toBe(acked.join(''));
    }
    report(`streams-disk ${system}`, {
      acknowledged: acked.length,
      refused,
      acknowledgedWhileFull: whileFull - 20,
    });
  },
);
