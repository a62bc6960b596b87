import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

/**
 * Kills the server again and again while writers append and readers follow. Afterwards every byte that was
 * acknowledged is there, at its offset; every byte that a reader was shown is there; nothing is there twice.
 * `SONDE_KILLS` sets how often; `npm run faults` asks for many more.
 */
const KILLS = Number(process.env['SONDE_KILLS'] ?? 50);
const PROGRAM = fileURLToPath(new URL('../../dist/sonde.js', import.meta.url));
const STREAMS = 4;

const folder = mkdtempSync(join(tmpdir(), 'sonde-kill-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Written {
  /** Acknowledged records, in order, with the offset that each acknowledgement gave. */
  readonly acked: { readonly record: string; readonly offset: string }[];
  /** What a live reader was shown in this and earlier lives of the server, from the start. */
  shown: string;
  next: number;
}

async function start(): Promise<{ child: ChildProcess; url: string }> {
  const args = ['serve', '--port', '0', '--auth', 'none', '--data', folder, '--json', '--log-level', 'error'];
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout as NonNullable<typeof child.stdout>, 'data');
  return { child, url: JSON.parse(String(line)).url };
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

test(`nothing acknowledged or shown is lost over ${KILLS} kills`, async () => {
  const streams: Written[] = Array.from({ length: STREAMS }, () => ({ acked: [], shown: '', next: 0 }));
  for (let kill = 0; kill <= KILLS; kill++) {
    const { child, url } = await start();
    try {
      for (const [stream, written] of streams.entries()) {
        if (kill === 0)
          await fetch(`${url}/v1/stream/s${stream}`, {
            method: 'PUT',
            headers: { 'content-type': 'text/plain' },
          });
        else await check(url, stream, written);
      }
      if (kill === KILLS) break;
      const readers = streams.slice(0, 2).map((written, stream) => follow(url, stream, written));
      const writers = streams.map((written, stream) => write(url, stream, written).catch((error) => error));
      await new Promise((resolve) => setTimeout(resolve, 20 + ((kill * 37) % 130)));
      child.kill('SIGKILL');
      for (const ended of await Promise.all(writers)) expect(ended).toBeInstanceOf(TypeError);
      await Promise.all(readers);
    } finally {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
  }
  const total = streams.reduce((sum, { acked }) => sum + acked.length, 0);
  expect(total).toBeGreaterThan(KILLS * STREAMS);
}, 3_600_000);
