import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ServedForTest, serveForTest } from '../support/serve.js';

/**
 * Many concurrent readers of cold chunks over real sockets, some slow and some that leave early. The memory that
 * segments are read into is reused, and no reader may ever see bytes that were read for another.
 */
const MB = 1024 * 1024;
const MESSAGES = 14;
const READERS = 10;

let server: ServedForTest;
beforeEach(async () => {
  server = await serveForTest();
});
afterEach(() => server.stop());

/** Returns bytes that differ at every position. */
function message(number: number): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(MB / 4);
  for (let i = 0; i < words.length; i++) words[i] = Math.imul(number * words.length + i, 0x9e3779b1);
  return new Uint8Array(words.buffer);
}

async function fill(path: string): Promise<string> {
  const url = `${server.url}/v1/stream/${path}`;
  await fetch(url, { method: 'PUT' });
  const hash = createHash('sha256');
  for (let number = 0; number < MESSAGES; number++) {
    const body = message(number);
    hash.update(body);
    const headers = { 'Content-Type': 'application/octet-stream' };
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(204);
  }
  return hash.digest('hex');
}

function segments(): number {
  const names = readdirSync(join(server.dataDir, 'segments'), { recursive: true, withFileTypes: true });
  return names.filter((name) => name.isFile() && !name.name.endsWith('.tmp')).length;
}

/** Reads everything with occasional pauses, or leaves after some bytes. */
function read(path: string, options: { pauseEvery: number; leaveAfter?: number }): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(`${server.url}/v1/stream/${path}?offset=-1`, (response: IncomingMessage) => {
      const hash = createHash('sha256');
      let bytes = 0;
      let pauseAt = options.pauseEvery;
      response.on('data', (piece: Buffer) => {
        hash.update(piece);
        bytes += piece.length;
        if (bytes > (options.leaveAfter ?? Number.POSITIVE_INFINITY)) {
          response.destroy();
          return resolve('left');
        }
        if (bytes < pauseAt) return;
        pauseAt += options.pauseEvery;
        response.pause();
        setTimeout(() => response.resume(), 5);
      });
      response.on('end', () => resolve(hash.digest('hex')));
      response.on('error', reject);
    });
    request.on('error', reject);
  });
}

test('each of many readers gets its own bytes, however slow it is and whichever readers leave', async () => {
  const whole = await fill('long');
  await vi.waitFor(() => expect(segments()).toBe(3), 20_000);
  const results = await Promise.all(
    Array.from({ length: READERS }, (_, i) =>
      read('long', {
        pauseEvery: (i + 1) * 300_000,
        ...(i % 3 === 2 && { leaveAfter: i * MB }),
      }),
    ),
  );
  expect(results).toEqual(results.map((_, i) => (i % 3 === 2 ? 'left' : whole)));
  expect(await read('long', { pauseEvery: MB })).toBe(whole);
});
