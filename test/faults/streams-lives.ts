/**
 * Several clients create, fork, read, delete and recreate streams of a few names over HTTP, on a server that is killed
 * now and then. Every history must have an explanation (`test/support/stream-history.ts`).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { expect } from 'vitest';
import { streamIdOf } from '../../src/streams/index.js';
import { createRandom } from '../support/random.js';
import { readEvents, StreamClients, type StreamDriver } from '../support/stream-clients.js';
import type { Call, Outcome } from '../support/stream-history.js';
import type { RunningVictim, Victim } from '../support/victim.js';

const NAMES = ['a', 'b', 'c'];
/** Statuses of a server that is stopping, or of a stream's object that was aborted. */
const INTERRUPTED = new Set([502, 503]);

export interface LivesRun {
  readonly rounds: number;
  readonly kills: number;
  readonly seed: number;
}

export async function runStreamLives(
  victim: Victim,
  { rounds, kills, seed }: LivesRun,
): Promise<Record<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-lives-'));
  const random = createRandom(seed);
  const clients = new StreamClients(random, '');
  const every = kills === 0 ? Number.POSITIVE_INFINITY : Math.ceil(rounds / kills);
  let running = await victim.start({ folder });
  let killed = 0;
  try {
    for (let round = 1; round <= rounds; round++) {
      const under = clients.round(driverOf(running));
      if (round % every === 0) {
        await new Promise((next) => setTimeout(next, random.whole(0, 30) * (victim.pace ?? 1)));
        await running.kill(NAMES.map((name) => streamIdOf('default', name)));
        killed++;
        await under;
        if (!victim.livesOn) running = await victim.start({ folder });
      }
      await under;
      await clients.readAll(driverOf(running));
    }
    const ready = (await (await fetch(`${running.url}/api/ready`)).json()) as { attention?: unknown };
    expect(ready.attention ?? []).toEqual([]);
  } finally {
    await running.close();
    rmSync(folder, { recursive: true, force: true });
  }
  const { calls, unknown, seen } = clients.counts;
  return { rounds, kills: killed, calls, unknown, ...Object.fromEntries([...seen].sort()) };
}

let lastExpiry = 0;

/** Soon enough to pass before the run ends, and never the same twice: a create would find the stream of another. */
function nextExpiry(): string {
  lastExpiry = Math.max(lastExpiry + 1, Date.now() + 300 + Math.floor(Math.random() * 700));
  return new Date(lastExpiry).toISOString();
}

function driverOf({ url }: Pick<RunningVictim, 'url'>): StreamDriver {
  const at = (name: string) => `${url}/v1/stream/${name}`;
  const send = (call: Call): Promise<Response> => {
    const type = { 'content-type': 'text/plain' };
    switch (call.do) {
      case 'create': {
        const headers = { ...type, ...(call.mortal && { 'stream-expires-at': nextExpiry() }) };
        return fetch(at(call.name), { method: 'PUT', headers, body: call.text });
      }
      case 'fork':
        return fetch(at(call.name), {
          method: 'PUT',
          headers: { 'stream-forked-from': `/v1/stream/${call.source}` },
        });
      case 'append': {
        const headers = { ...type, ...(call.close && { 'stream-closed': 'true' }) };
        return fetch(at(call.name), { method: 'POST', headers, body: call.text });
      }
      case 'read':
        return fetch(`${at(call.name)}?offset=-1${call.live === '' ? '' : `&live=${call.live}`}`);
      case 'delete':
        return fetch(at(call.name), { method: 'DELETE' });
    }
  };
  return {
    async perform(call): Promise<Outcome> {
      const response = await send(call);
      if (INTERRUPTED.has(response.status)) throw new Error(`interrupted: ${await response.text()}`);
      const live = call.do === 'read' && call.live === 'sse' && response.status === 200;
      const { text, cut } = live ? await readLive(response) : await readWhole(response);
      if (response.status >= 500) expect.fail(`${JSON.stringify(call)} gave ${response.status} ${text}`);
      return { status: response.status, text: response.ok ? text : '', cut };
    },
  };
}

async function readWhole(response: Response): Promise<{ text: string; cut: boolean }> {
  let text = '';
  const decoder = new TextDecoder();
  try {
    for await (const piece of response.body ?? []) text += decoder.decode(piece, { stream: true });
    return { text, cut: false };
  } catch {
    return { text, cut: true };
  }
}

/** Reads until the stream is up to date or ends. */
async function readLive(response: Response): Promise<{ text: string; cut: boolean }> {
  let wire = '';
  const decoder = new TextDecoder();
  try {
    for await (const piece of response.body ?? []) {
      wire += decoder.decode(piece, { stream: true });
      if (readEvents(wire).upToDate) break;
    }
  } catch {
    // What arrived before the break counts.
  }
  const { text, upToDate } = readEvents(wire);
  return { text, cut: !upToDate };
}

/** One connection per request, so that none is reused while its server closes it. */
const dispatcher = new Agent({ pipelining: 0 });
/** Streams recreated concurrently. */
const RECREATED_AT_ONCE = 8;

/** Reads a stream while it is deleted, and deletes and recreates one while readers of the old one are still reading. */
export async function recreateWhileRead(url: string, times: number): Promise<Record<string, number>> {
  const seen: Record<string, number> = {};
  const note = (what: string) => {
    seen[what] = (seen[what] ?? 0) + 1;
  };
  const recreate = async (i: number) => {
    const at = `${url}/v1/stream/again/${i}`;
    const call = async (method: 'GET' | 'PUT' | 'POST' | 'DELETE', body?: string) => {
      const headers = { 'content-type': 'text/plain' };
      const response = await request(at, {
        dispatcher,
        method,
        headers,
        ...(body !== undefined && { body }),
      });
      return { status: response.statusCode, text: await response.body.text().catch(() => 'cut') };
    };
    const reads = () => Array.from({ length: 3 }, async () => note(`read ${(await call('GET')).status}`));
    await call('PUT', 'old');
    for (let k = 0; k < 2; k++) note(`append ${(await call('POST', 'old'.repeat(200))).status}`);
    const again = call('DELETE').then(async ({ status }) => {
      note(`delete ${status}`);
      note(`create ${(await call('PUT', 'new')).status}`);
    });
    await Promise.all([...reads(), again, ...reads()]);
    const after = await call('GET');
    note(`afterwards ${after.status} ${after.text === 'new' ? 'whole' : 'wrong'}`);
    const [read, removed] = await Promise.all([call('GET'), call('DELETE')]);
    note(`read ${read.status}`);
    note(`delete ${removed.status}`);
  };
  let next = 0;
  const recreateInTurn = async () => {
    while (next < times) await recreate(next++);
  };
  await Promise.all(Array.from({ length: RECREATED_AT_ONCE }, recreateInTurn));
  return seen;
}

const EXPECTED = /^(read (200|404)|append 204|delete 204|create 201|afterwards 200 whole)$/;

export function expectOnlyGood(seen: Record<string, number>): void {
  expect(Object.keys(seen).filter((what) => !EXPECTED.test(what))).toEqual([]);
}
