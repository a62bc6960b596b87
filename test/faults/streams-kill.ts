/**
 * Kills the server again and again while writers append and readers follow. Afterwards every byte that was
 * acknowledged is there, at its offset; every byte that a reader was shown is there; nothing is there twice.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { startBuiltServer } from '../support/built-server.js';

const STREAMS = 4;
/** Then the streams begin anew, so that looking at all of them stays quick. */
const KILLS_PER_FOLDER = 100;

interface Written {
  /** Acknowledged records, in order, with the offset that each acknowledgement gave. */
  readonly acked: { readonly record: string; readonly offset: string }[];
  /** What a live reader was shown in this and earlier lives of the server, from the start. */
  shown: string;
  next: number;
}

export async function killAgainAndAgain(kills: number): Promise<{ acknowledged: number }> {
  let acknowledged = 0;
  for (let done = 0; done < kills; done += KILLS_PER_FOLDER) {
    acknowledged += await killInOneFolder(Math.min(KILLS_PER_FOLDER, kills - done));
  }
  expect(acknowledged).toBeGreaterThan(kills * STREAMS);
  return { acknowledged };
}

async function killInOneFolder(kills: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-kill-'));
  const streams: Written[] = Array.from({ length: STREAMS }, () => ({ acked: [], shown: '', next: 0 }));
  try {
    for (let kill = 0; kill <= kills; kill++)
      await oneLife(folder, streams, { kill, isLast: kill === kills });
    return streams.reduce((sum, { acked }) => sum + acked.length, 0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function oneLife(
  folder: string,
  streams: readonly Written[],
  { kill, isLast }: { readonly kill: number; readonly isLast: boolean },
): Promise<void> {
  const server = await startBuiltServer({ folder });
  const { url } = server;
  try {
    for (const [stream, written] of streams.entries()) {
      if (kill === 0) await create(url, stream);
      else await check(url, stream, written);
    }
    if (isLast) return;
    const readers = streams.slice(0, 2).map((written, stream) => follow(url, stream, written));
    const writers = streams.map((written, stream) => write(url, stream, written).catch((error) => error));
    await new Promise((resolve) => setTimeout(resolve, 20 + ((kill * 37) % 130)));
    await server.kill();
    for (const ended of await Promise.all(writers)) expect(ended).toBeInstanceOf(TypeError);
    await Promise.all(readers);
  } finally {
    await server.kill();
  }
}

async function create(url: string, stream: number): Promise<void> {
  const headers = { 'content-type': 'text/plain' };
  expect((await fetch(`${url}/v1/stream/s${stream}`, { method: 'PUT', headers })).status).toBe(201);
}

/** Records have sizes that make chunks fill up, so that kills also hit sealing. */
function recordOf(stream: number, n: number): string {
  return `<${stream}:${n}:${'x'.repeat((n * 7919) % 40_000)}>`;
}

async function write(url: string, stream: number, written: Written): Promise<void> {
  for (;;) {
    const record = recordOf(stream, written.next);
    const response = await fetch(`${url}/v1/stream/s${stream}`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: record,
    });
    expect(response.status).toBe(204);
    written.acked.push({ record, offset: response.headers.get('stream-next-offset') ?? '' });
    written.next++;
  }
}

/** Follows by SSE from the start and keeps what it was shown; ends when the server is gone. */
function follow(url: string, stream: number, written: Written): Promise<void> {
  return new Promise((resolve) => {
    let text = '';
    const request = get(`${url}/v1/stream/s${stream}?offset=-1&live=sse`, (response) => {
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.on('close', () => {
        const events = text.slice(0, text.lastIndexOf('\n\n') + 2).split('\n\n');
        const data = events.filter((event) => event.startsWith('event: data\ndata:'));
        const shown = data.map((event) => event.slice('event: data\ndata:'.length)).join('');
        if (shown.length > written.shown.length) written.shown = shown;
        resolve();
      });
    });
    request.on('error', () => resolve());
  });
}

async function contentOf(url: string, stream: number, offset = '-1'): Promise<string> {
  let content = '';
  for (let next = offset; ; ) {
    const response = await fetch(`${url}/v1/stream/s${stream}?offset=${next}`);
    expect(response.status).toBe(200);
    content += await response.text();
    next = response.headers.get('stream-next-offset') ?? '';
    if (response.headers.get('stream-up-to-date') === 'true') return content;
  }
}

/** Takes a record that was written but not acknowledged for acknowledged: the writer would find it there. */
async function check(url: string, stream: number, written: Written): Promise<void> {
  const content = await contentOf(url, stream);
  const acked = written.acked.map(({ record }) => record).join('');
  const rest = content.slice(acked.length);
  expect(content.startsWith(acked)).toBe(true);
  expect(['', recordOf(stream, written.next)]).toContain(rest);
  expect(content.startsWith(written.shown)).toBe(true);
  if (rest !== '') {
    const head = await fetch(`${url}/v1/stream/s${stream}`, { method: 'HEAD' });
    written.acked.push({ record: rest, offset: head.headers.get('stream-next-offset') ?? '' });
    written.next++;
  }
  const sample = written.acked[Math.floor(written.acked.length / 2)];
  if (!sample) return;
  const after = written.acked.slice(written.acked.indexOf(sample) + 1);
  expect(await contentOf(url, stream, sample.offset)).toBe(after.map(({ record }) => record).join(''));
}
