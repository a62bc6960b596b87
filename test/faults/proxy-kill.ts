/**
 * Kills the server repeatedly while eight upstream responses stream in and readers follow. Afterwards every byte that a
 * reader was shown is there, unchanged; what is stored is a prefix of what the upstream sent; every stream was ended,
 * as completed or as lost, before the restarted server listened; no reader hangs; and no key sent its request twice.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { streamIdOfProxy } from '../../src/proxy/index.js';
import { type Listening, listenHttp } from '../support/listen.js';
import { EMBEDDED, type RunningVictim, type Victim } from '../support/victim.js';

const STREAMS = 8;
/** After this many kills a new folder is used, so that checking all of it stays quick. */
const KILLS_PER_FOLDER = 100;
/** Half of the streams are followed live. */
const FOLLOWED = 4;
const RELEASE_MS = 30_000;
const SHOWN_MS = 60_000;

interface Followed {
  readonly seed: string;
  readonly location: string;
  readonly key: string;
  /** What a reader was shown. */
  shown: string;
}

/** Shown before the time of every second life starts, however slow the machine is. */
const SHOWN_BYTES = 4_000;

interface Figures {
  shownBytes: number;
  lost: number;
  completed: number;
  indeterminate: number;
}

/** Returns what the upstream sends for a seed, up to any length; it depends on the position only. */
function upstreamText(seed: string, from: number, to: number): string {
  let text = '';
  for (let at = from - (from % 16); at < to; at += 16)
    text += `${seed}:${at}`.padEnd(15, '.').slice(0, 15).concat('\n');
  return text.slice(from % 16, (from % 16) + to - from);
}

export async function killWhilePiping(kills: number, victim: Victim = EMBEDDED): Promise<Figures> {
  const figures: Figures = { shownBytes: 0, lost: 0, completed: 0, indeterminate: 0 };
  const asked = new Map<string, number>();
  const sending = new Set<string>();
  const upstream = await listenHttp((request, response) => {
    const seed = (request.url ?? '').slice(1);
    asked.set(seed, (asked.get(seed) ?? 0) + 1);
    sending.add(seed);
    response.on('close', () => sending.delete(seed));
    sendBody(seed, response);
  });
  try {
    for (let done = 0; done < kills; done += KILLS_PER_FOLDER)
      await killInOneFolder({
        ...{ victim, upstream, sending, figures },
        kills: Math.min(KILLS_PER_FOLDER, kills - done),
      });
    for (const [seed, count] of asked) expect(count, `requests for ${seed}`).toBe(1);
  } finally {
    await upstream.close();
  }
  return figures;
}

/**
 * Sends pieces of many sizes, some with pauses, so that kills hit every kind of flush; some responses end on their own.
 */
function sendBody(
  seed: string,
  response: { write(text: string): boolean; end(): void; on(event: string, act: () => void): void },
): void {
  const n = Number(seed.split('-').at(-1));
  const ends = n % 4 === 3 ? 20_000 : Number.POSITIVE_INFINITY;
  let at = 0;
  const timer = setInterval(() => {
    const to = Math.min(ends, at + 1 + ((at * 31 + n * 977) % 9_000));
    response.write(upstreamText(seed, at, to));
    at = to;
    if (at >= ends) {
      clearInterval(timer);
      response.end();
    }
  }, 3 + n);
  response.on('close', () => clearInterval(timer));
}

interface Run {
  readonly victim: Victim;
  readonly upstream: Listening;
  /** The seeds whose response the upstream is still sending. */
  readonly sending: ReadonlySet<string>;
  readonly kills: number;
  readonly figures: Figures;
}

async function killInOneFolder({ victim, upstream, sending, kills, figures }: Run): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-proxy-kill-'));
  const options = { folder, allow: `private:127.0.0.1:${upstream.port}` };
  let server = await victim.start(options);
  try {
    for (let kill = 0; kill < kills; kill++) {
      const { url } = server;
      const seeds = Array.from({ length: STREAMS }, (_, n) => `${folder.slice(-6)}-${kill}-${n}`);
      const started = await Promise.all(seeds.map((seed) => create(url, upstream, seed)));
      const workMs = (10 + ((kill * 37) % 140)) * (victim.pace ?? 1);
      await oneLife(server, started, { workMs, shownBytes: kill % 2 === 0 ? SHOWN_BYTES : 0 });
      // A killed server releases its upstreams.
      await vi.waitFor(() => expect(sending.size).toBe(0), { timeout: RELEASE_MS });
      if (!victim.livesOn) server = await victim.start(options);
      const after = server.url;
      await Promise.all(started.map((followed) => check(after, followed, { upstream, figures })));
    }
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function oneLife(
  server: RunningVictim,
  started: readonly Followed[],
  { workMs, shownBytes }: { readonly workMs: number; readonly shownBytes: number },
): Promise<void> {
  const readers = started.slice(0, FOLLOWED).map(follow);
  const shown = () => started.reduce((sum, followed) => sum + followed.shown.length, 0);
  await vi.waitUntil(() => shown() >= shownBytes, { timeout: SHOWN_MS, interval: 5 });
  await new Promise((resolve) => setTimeout(resolve, workMs));
  await server.kill(started.map(({ location }) => streamIdOf(location)));
  // Every reader sees the end of its connection; a hanging one would keep this from resolving.
  await Promise.all(readers);
}

function streamIdOf(location: string): string {
  return streamIdOfProxy(new URL(location).pathname.split('/').at(-1) ?? '');
}

async function create(url: string, upstream: Listening, seed: string): Promise<Followed> {
  const response = await post(url, upstream, { seed, key: `key-${seed}` });
  expect(response.status).toBe(201);
  return { seed, key: `key-${seed}`, location: response.headers.get('location') ?? '', shown: '' };
}

function post(
  url: string,
  upstream: Listening,
  { seed, key }: { seed: string; key: string },
): Promise<Response> {
  const headers = {
    'upstream-url': `${upstream.origin}/${seed}`,
    'upstream-method': 'GET',
    'idempotency-key': key,
  };
  return fetch(`${url}/v1/proxy`, { method: 'POST', headers });
}

/** Reads live by SSE until the connection ends, and stores what it was shown. */
function follow(followed: Followed): Promise<void> {
  return new Promise((resolve) => {
    let text = '';
    const request = get(`${followed.location}&offset=-1&live=sse`, (response) => {
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
        const end = text.lastIndexOf('\n\n');
        if (end < 0) return;
        followed.shown += dataOf(text.slice(0, end + 2));
        text = text.slice(end + 2);
      });
      response.on('close', resolve);
    });
    request.on('error', () => resolve());
  });
}

/** Returns the data of whole events. */
function dataOf(events: string): string {
  return [...events.matchAll(/^event: data\n((?:data:.*\n)+)/gm)]
    .map(([, lines = '']) => Buffer.from(lines.replace(/^data:|\n/gm, ''), 'base64').toString())
    .join('');
}

/** The restarted server responds at once and conclusively: a long-poll at the tail does not wait. */
async function check(
  url: string,
  followed: Followed,
  { upstream, figures }: Pick<Run, 'upstream' | 'figures'>,
): Promise<void> {
  const { pathname, search } = new URL(followed.location);
  const read = await fetch(`${url}${pathname}${search}&offset=-1&live=long-poll`);
  expect(read.status === 200 || read.status === 204).toBe(true);
  const text = await read.text();
  expect(text).toBe(upstreamText(followed.seed, 0, text.length));
  expect(text.startsWith(followed.shown)).toBe(true);
  expect(read.headers.get('stream-closed')).toBe('true');
  const outcome = read.headers.get('upstream-outcome');
  const end = `${outcome} ${read.headers.get('upstream-error') ?? ''}`.trim();
  expect(['completed', 'failed PUMP_LOST']).toContain(end);
  if (outcome === 'completed') expect(text.length).toBe(20_000);
  const repeat = await post(url, upstream, followed);
  const code = repeat.status === 409 ? ((await repeat.json()) as { error: { code: string } }).error.code : '';
  expect([200, 409]).toContain(repeat.status);
  if (code !== '') expect(code).toBe('CREATE_INDETERMINATE');
  figures.indeterminate += repeat.status === 409 ? 1 : 0;
  figures.shownBytes += followed.shown.length;
  figures.completed += outcome === 'completed' ? 1 : 0;
  figures.lost += outcome === 'completed' ? 0 : 1;
}
