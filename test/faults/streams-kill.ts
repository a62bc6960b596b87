/**
 * Kills the server repeatedly while writers append and readers follow. Afterwards every acknowledged byte is there, at
 * its offset; every byte that a reader was shown is there; and nothing is there twice.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { streamIdOf } from '../../src/streams/index.js';
import { EMBEDDED, type RunningVictim, type Victim } from '../support/victim.js';

const STREAMS = 4;
/** After this many kills the streams start over, so that checking all of them stays quick. */
const KILLS_PER_FOLDER = 100;
/** Every request must get a response within this time. */
const ANSWER_MS = 30_000;

interface Written {
  /** Acknowledged records, in order, with the offset that each acknowledgement returned. */
  readonly acked: { readonly record: string; readonly offset: string }[];
  /** What a live reader was shown in this and earlier lives of the server, from the start. */
  shown: string;
  next: number;
  /** Appends that got 503 because the stream's object was aborted. */
  refused: number;
}

interface Figures {
  acknowledged: number;
  refused: number;
}

export async function killRepeatedly(kills: number, victim: Victim = EMBEDDED): Promise<Figures> {
  const figures: Figures = { acknowledged: 0, refused: 0 };
  for (let done = 0; done < kills; done += KILLS_PER_FOLDER) {
    for (const { acked, refused } of await killInOneFolder(
      victim,
      Math.min(KILLS_PER_FOLDER, kills - done),
    )) {
      figures.acknowledged += acked.length;
      figures.refused += refused;
    }
  }
  expect(figures.acknowledged).toBeGreaterThan(kills * STREAMS);
  return figures;
}

async function killInOneFolder(victim: Victim, kills: number): Promise<readonly Written[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-kill-'));
  const streams: Written[] = Array.from({ length: STREAMS }, () => ({
    acked: [],
    shown: '',
    next: 0,
    refused: 0,
  }));
  let server = await victim.start({ folder });
  try {
    for (const stream of streams.keys()) await create(server.url, stream);
    for (let kill = 0; kill < kills; kill++) {
      await oneLife(server, streams, { victim, kill });
      if (!victim.livesOn) server = await victim.start({ folder });
      for (const [stream, written] of streams.entries()) await check(server.url, stream, written);
    }
    return streams;
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Ends with the kill: by then every writer has failed and every reader was disconnected. */
async function oneLife(
  server: RunningVictim,
  streams: readonly Written[],
  { victim, kill }: { readonly victim: Victim; readonly kill: number },
): Promise<void> {
  const { url } = server;
  const life = { url, over: false };
  const readers = streams.slice(0, 2).map((written, stream) => follow(url, stream, written));
  const writers = streams.map((written, stream) => write(life, stream, written).catch((error) => error));
  const workMs = (20 + ((kill * 37) % 130)) * (victim.pace ?? 1);
  // In every second life some work is done before its time starts, however slow the machine is.
  if (kill % 2 === 0) {
    const goal = ackedOf(streams) + 2 * (STREAMS + 1);
    await vi.waitUntil(() => ackedOf(streams) >= goal, { timeout: ANSWER_MS, interval: 1 });
  }
  await new Promise((resolve) => setTimeout(resolve, workMs));
  await server.kill(streams.map((_, stream) => streamIdOf('default', `s${stream}`)));
  // A server that survives keeps accepting calls in between.
  life.over = true;
  for (const ended of await Promise.all(writers)) expect(ended).toBeInstanceOf(Gone);
  await Promise.all(readers);
}

function ackedOf(streams: readonly Written[]): number {
  return streams.reduce((sum, { acked }) => sum + acked.length, 0);
}

/** Thrown by a writer whose server, or whose stream's object, is gone. */
class Gone extends Error {}

async function create(url: string, stream: number): Promise<void> {
  const headers = { 'content-type': 'text/plain' };
  expect((await fetch(`${url}/v1/stream/s${stream}`, { method: 'PUT', headers })).status).toBe(201);
}

/** Records have sizes that fill chunks, so that kills also hit sealing. */
function recordOf(stream: number, n: number): string {
  return `<${stream}:${n}:${'x'.repeat((n * 7919) % 40_000)}>`;
}

async function write(
  life: { readonly url: string; readonly over: boolean },
  stream: number,
  written: Written,
): Promise<void> {
  for (;;) {
    if (life.over) throw new Gone('the kill came between two calls');
    const record = recordOf(stream, written.next);
    const response = await fetch(`${life.url}/v1/stream/s${stream}`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: record,
      signal: AbortSignal.timeout(ANSWER_MS),
    }).catch((cause: Error) => {
      throw cause.name === 'TimeoutError' ? cause : new Gone('no response', { cause });
    });
    if (response.status === 503) {
      written.refused++;
      throw new Gone('the object is gone');
    }
    expect(response.status).toBe(204);
    written.acked.push({ record, offset: response.headers.get('stream-next-offset') ?? '' });
    written.next++;
  }
}

/** Follows by SSE from the start and stores what it was shown; ends when the server is gone. */
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

/** Treats a record that was written but not acknowledged as acknowledged, because the writer would find it there. */
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
