/**
 * Random responses, read in random ways over a wire that breaks at random: whatever the chunking, the start of the
 * read, the mode and the drops, the bytes match the upstream's, and the upstream is called once.
 */
import { createHash } from 'node:crypto';
import { durableFetch, type Timing } from '../../packages/client/src/index.js';
import { type Chaos, startChaos } from '../support/chaos-proxy.js';
import { type Listening, listenHttp } from '../support/listen.js';
import { type MemoryStorage, memoryStorage } from '../support/memory-storage.js';
import { createRandom, type Random } from '../support/random.js';
import { READ_MODES, readBy } from '../support/read-modes.js';
import { serveForTest } from '../support/serve.js';

interface Bench {
  readonly upstream: Listening;
  readonly chaos: Chaos;
  readonly serverUrl: string;
  readonly calls: Map<string, number>;
}

const AT_ONCE = 64;
const HASTE = 50;

/** Shortens the waits between retries, but not the time that counts as silence. */
const HASTY: Timing = {
  after(ms, act) {
    const timer = setTimeout(act, ms > 15_000 ? ms : ms / HASTE);
    return () => clearTimeout(timer);
  },
  now: Date.now,
  random: Math.random,
};

const MODES = ['durable', 'durable-reload', ...READ_MODES] as const;

export interface ResumeReport {
  readonly cases: number;
  readonly bytes: number;
  readonly drops: number;
  readonly byMode: Readonly<Record<string, number>>;
}

export async function resumeRepeatedly(cases: number, seed: number): Promise<ResumeReport> {
  const calls = new Map<string, number>();
  const upstream = await listenHttp((request, response) => {
    const id = request.url?.slice(1) ?? '';
    calls.set(id, (calls.get(id) ?? 0) + 1);
    void sendResponse(Number(id), response);
  });
  const server = await serveForTest({
    proxy: { allow: [`private:${upstream.origin}`], routes: {}, env: () => undefined },
  });
  const wire = createRandom(seed ^ 0x5eed);
  const chaos = await startChaos(Number(new URL(server.url).port), { bytesFor: () => breakPoint(wire) });
  const byMode: Record<string, number> = {};
  let bytes = 0;
  let next = 0;
  const work = async () => {
    while (next < cases) {
      const id = seed + next++;
      const { mode, read } = await runCase({ upstream, chaos, serverUrl: server.url, calls }, id);
      byMode[mode] = (byMode[mode] ?? 0) + 1;
      bytes += read;
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return { cases, bytes, drops: chaos.breaks(), byMode };
  } finally {
    next = cases;
    await chaos.close();
    await server.stop();
    await upstream.close();
  }
}

/** Where the next connection breaks. Each one does, because a client uses the same one as long as it lasts. */
function breakPoint(wire: Random): number {
  const draw = wire.next();
  if (draw < 0.02) return -1;
  if (draw < 0.4) return wire.whole(0, 300);
  return draw < 0.9 ? wire.whole(0, 20_000) : wire.whole(0, 600_000);
}

/** Mostly a page of tokens, sometimes several records, rarely several chunks. */
function bodyOf(id: number): Buffer {
  const random = createRandom(id);
  const kind = random.next();
  const size =
    kind < 0.1 ? random.whole(0, 3) : kind < 0.9 ? random.whole(1, 12_000) : random.whole(1, 300_000);
  return bytesOf(id, id % 2_000 === 1999 ? 9_000_000 + size : size);
}

function bytesOf(id: number, size: number): Buffer {
  const block = createHash('sha512').update(String(id)).digest();
  const bytes = Buffer.alloc(size, block);
  // Makes every position differ.
  for (let at = 0; at + 4 <= size; at += 61) bytes.writeUInt32LE((id ^ at) >>> 0, at);
  return bytes;
}

async function sendResponse(id: number, response: import('node:http').ServerResponse): Promise<void> {
  const body = bodyOf(id);
  const random = createRandom(id + 1);
  const sized = random.next() < 0.3;
  response.writeHead(200, sized ? { 'content-length': String(body.length) } : {});
  const largest = random.pick([1, 40, 700, 5_000, 70_000]);
  let writes = 0;
  for (let at = 0; at < body.length && !response.destroyed; ) {
    // Tiny writes for a while, then the rest: this bounds the number of packets.
    const size = writes++ < 60 ? random.whole(1, largest) : body.length - at;
    response.write(body.subarray(at, at + size));
    at += size;
    const pause = random.next();
    if (pause < 0.02) await new Promise((resolve) => setTimeout(resolve, random.whole(1, 60)));
    else if (pause < 0.4) await new Promise((resolve) => setImmediate(resolve));
  }
  response.end();
}

async function runCase(bench: Bench, id: number): Promise<{ mode: string; read: number }> {
  const random = createRandom(id + 2);
  const mode = random.pick(MODES);
  const whole = bodyOf(id);
  const fail = (what: string) => new Error(`case ${id} (${mode}): ${what}`);
  const { got, from } = await (mode.startsWith('durable')
    ? readDurably(bench, id, mode === 'durable-reload' ? random : undefined)
    : readPlainly(bench, id, { random, mode, total: whole.length })
  ).catch((cause: unknown) => {
    throw new Error(`case ${id} (${mode}) failed`, { cause });
  });
  if (!got.equals(whole.subarray(from)))
    throw fail(`${got.length} bytes from ${from} are not the upstream's`);
  if (bench.calls.get(String(id)) !== 1) throw fail(`${bench.calls.get(String(id))} upstream calls`);
  return { mode, read: got.length };
}

interface Got {
  readonly got: Buffer;
  readonly from: number;
}

/** With `reload`, the page closes after some pieces, and the next one resumes from storage. */
async function readDurably({ upstream, chaos }: Bench, id: number, reload?: Random): Promise<Got> {
  const url = `${upstream.origin}/${id}`;
  const pieces: Uint8Array[] = [];
  let storage = memoryStorage();
  for (let lives = reload?.whole(1, 4) ?? 0; ; lives--) {
    const fetch = durableFetch({ proxy: chaos.origin, storage, requestId: 'r', retries: 30, timing: HASTY });
    const diesAfter = lives > 0 ? (reload?.whole(1, 4) ?? 0) : Number.POSITIVE_INFINITY;
    const left = await livePage(await fetch(url), { storage, pieces, diesAfter });
    if (!left) return { got: Buffer.concat(pieces), from: 0 };
    storage = left;
  }
}

/** Reads until the end, or until the page dies between two turns with what it has and what is stored at that moment. */
async function livePage(
  response: Response,
  { storage, pieces, diesAfter }: { storage: MemoryStorage; pieces: Uint8Array[]; diesAfter: number },
): Promise<MemoryStorage | undefined> {
  const reader = response.body?.getReader();
  let left: MemoryStorage | undefined;
  let count = 0;
  while (!left) {
    const next = await reader?.read();
    if (left || !next || next.done) return left;
    pieces.push(next.value);
    if (++count !== diesAfter) continue;
    setImmediate(() => {
      if (!storage.kept.has('sonde:r')) return;
      left = memoryStorage(storage.kept);
      void reader?.cancel();
    });
  }
  return left;
}

async function readPlainly(
  { upstream, chaos, serverUrl }: Bench,
  id: number,
  { random, mode, total }: { random: Random; mode: string; total: number },
): Promise<Got> {
  const created = await fetch(`${serverUrl}/v1/proxy`, {
    method: 'POST',
    headers: { 'upstream-url': `${upstream.origin}/${id}`, 'upstream-method': 'GET' },
  });
  const location = (created.headers.get('location') ?? '').replace(serverUrl, chaos.origin);
  if (random.next() < 0.4) return { got: await readBy(mode, location, { offset: '-1', skip: 0 }), from: 0 };
  // To read from a byte in the middle, first waits until everything has arrived.
  const whole = await readBy('long-poll', location, { offset: '-1', skip: 0 });
  const from = random.whole(0, Math.min(total, whole.length));
  return { got: await readBy(mode, location, { offset: '-1', skip: from }), from };
}
