/** Uploads through an inline route of the built server, and reports how far its memory grew. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect } from 'vitest';
import { startBuiltServer } from '../support/built-server.js';
import { listenHttp } from '../support/listen.js';

const PIECE = Buffer.alloc(64 * 1024, 'upload ');

/** Peak resident memory so far, in bytes. */
function peakOf(pid: number): number {
  const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}

export async function uploadThroughRoute(bytes: number): Promise<{ bytes: number; extraBytes: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-upload-'));
  const upstream = await listenHttp(async (incoming, response) => {
    const hash = createHash('sha256');
    for await (const piece of incoming) hash.update(piece as Buffer);
    response.end(hash.digest('hex'));
  });
  const routes = JSON.stringify({ up: { url: upstream.origin, private: true } });
  const args = ['--proxy-routes', routes, '--proxy-body-bytes-max', '1GiB'];
  const server = await startBuiltServer({ folder, args });
  try {
    // The first uploads load code and grow buffers.
    for (let i = 0; i < 3; i++) await upload(server.url, 4 * 1024 * 1024);
    const before = peakOf(server.pid);
    await upload(server.url, bytes);
    return { bytes, extraBytes: peakOf(server.pid) - before };
  } finally {
    await server.kill();
    await upstream.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function upload(origin: string, bytes: number): Promise<void> {
  const hash = createHash('sha256');
  function* pieces() {
    for (let left = bytes; left > 0; left -= PIECE.length) {
      const piece = PIECE.subarray(0, left);
      hash.update(piece);
      yield piece;
    }
  }
  const sent = request(`${origin}/r/up/files`, { method: 'POST', headers: { 'content-length': bytes } });
  const responded = new Promise<string>((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', (response) => {
      response.setEncoding('utf8');
      let text = '';
      response.on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () => resolve(text));
    });
  });
  await pipeline(Readable.from(pieces(), { objectMode: false }), sent);
  expect(await responded).toBe(hash.digest('hex'));
}
