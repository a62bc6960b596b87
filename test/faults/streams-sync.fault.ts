import { get } from 'node:http';
import { beforeAll, expect, test } from 'vitest';
import { type BuiltServer, startBuiltServer } from '../support/built-server.js';
import { report } from '../support/fault-report.js';
import { demandStrace, startTracedServer, type TracedRun } from '../support/traced-server.js';

/**
 * A kill cannot show that a sync is missing, because what the kernel holds survives the process. So this test traces
 * the system calls: every acknowledgement and every byte shown follows a sync of the log that holds it, also if the
 * n-th sync fails. `SONDE_SYNCS=1-300` selects n.
 */
const [FIRST = 1, LAST = 300] = (process.env['SONDE_SYNCS'] ?? '1-300').split('-').map(Number);
const PARALLEL = 2;
const ERRORS = ['EIO', 'ENOSPC'] as const;
const WRITERS = 2;
/** How many more commits a writer makes than it takes to reach the failing sync. */
const SPARE = 20;
const REFUSED = ['503 STORAGE_UNAVAILABLE', '507 STORAGE_FULL'];

beforeAll(demandStrace);

let marks = 0;
const nextMark = () => String(++marks).padStart(8, '0');
const recordOf = (mark: string) => `rec-${mark};${'.'.repeat(Number(mark) % 300)}`;

async function create(url: string, stream: string): Promise<string> {
  const response = await fetch(`${url}/v1/stream/${stream}`, {
    method: 'PUT',
    headers: { 'content-type': 'text/plain' },
  });
  return outcomeOf(response);
}

async function append(url: string, stream: string, mark: string): Promise<string> {
  const response = await fetch(`${url}/v1/stream/${stream}`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain', 'x-request-id': `ack-${mark}.` },
    body: recordOf(mark),
  });
  return outcomeOf(response);
}

async function outcomeOf(response: Response): Promise<string> {
  const text = await response.text();
  return response.status < 300 ? 'done' : `${response.status} ${JSON.parse(text).error.code}`;
}

/** Follows from the start as long as the server lives, and returns what it was shown. */
function follow(url: string, stream: string): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const request = get(`${url}/v1/stream/${stream}?offset=-1&live=sse`, (response) => {
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.on('close', () => resolve(dataOf(text)));
    });
    request.on('error', () => resolve(dataOf(text)));
  });
}

function dataOf(text: string): string {
  const whole = text.slice(0, text.lastIndexOf('\n\n') + 2).split('\n\n');
  const data = whole.filter((event) => event.startsWith('event: data\ndata:'));
  return data.map((event) => event.slice('event: data\ndata:'.length)).join('');
}

async function expectStopped(server: BuiltServer): Promise<void> {
  expect(await server.stop(), server.stderr()).toBe(0);
}

test('every acknowledgement and every byte shown follows a completed sync of the log that holds it', async () => {
  const run = await startTracedServer();
  try {
    if (!('url' in run.server)) throw new Error(run.server.stderr);
    const { url } = run.server;
    const streams = ['a', 'b', 'c'];
    for (const stream of streams) expect(await create(url, stream)).toBe('done');
    const readers = [...streams, ...streams].map((stream) => follow(url, stream));
    const writers = Array.from({ length: 12 }, async (_each, writer) => {
      for (let i = 0; i < 60; i++) {
        expect(await append(url, streams[writer % 3] ?? '', nextMark())).toBe('done');
        if (i % 20 === 7)
          await fetch(`${url}/v1/stream/${streams[writer % 3]}?offset=-1`).then((r) => r.text());
      }
    });
    await Promise.all(writers);
    await expectStopped(run.server);
    await Promise.all(readers);
    const { acknowledged, shown, leaks, syncs } = run.proof();
    report('streams-sync proof', {
      acknowledged: acknowledged.size,
      shown: shown.size,
      syncs,
      leaks: leaks.length,
    });
    expect(leaks.slice(0, 5)).toEqual([]);
    expect(acknowledged.size).toBe(12 * 60);
    expect(shown.size).toBe(12 * 60);
    // Appends of several writers share a sync.
    expect(syncs).toBeLessThan(12 * 60);
  } finally {
    run.remove();
  }
});

test('the proof can fail: it does if syncs are only pretended', async () => {
  const run = await startTracedServer('fsync,fdatasync:retval=0');
  try {
    if (!('url' in run.server)) throw new Error(run.server.stderr);
    await create(run.server.url, 'a');
    for (let i = 0; i < 5; i++) expect(await append(run.server.url, 'a', nextMark())).toBe('done');
    await run.server.stop();
    expect(run.proof().leaks).toHaveLength(5);
  } finally {
    run.remove();
  }
});

interface Writer {
  readonly stream: string;
  readonly acked: string[];
  refused: string | undefined;
}

/** Appends until one is refused; from then on every one must be refused. */
async function write(url: string, writer: Writer, count: number): Promise<void> {
  const first = await create(url, writer.stream);
  if (first !== 'done') expect(REFUSED).toContain(first);
  for (let i = 0; i < count && !writer.refused; i++) {
    const mark = nextMark();
    const outcome = await append(url, writer.stream, mark);
    if (outcome === 'done') writer.acked.push(mark);
    else if (first === 'done') expect(REFUSED).toContain(outcome);
    if (outcome !== 'done') writer.refused = outcome;
  }
  if (!writer.refused) return;
  for (let i = 0; i < 3; i++) expect(await append(url, writer.stream, nextMark())).not.toBe('done');
}

async function liveThrough(
  url: string,
  writers: readonly Writer[],
  count: number,
): Promise<Promise<string>[]> {
  const working = writers.map((writer) => write(url, writer, count));
  const readers = writers.map(({ stream }) => follow(url, stream));
  await Promise.all(working);
  const ready = await fetch(`${url}/api/ready`);
  await ready.text();
  if (writers.some(({ refused }) => refused)) expect(ready.status).toBe(503);
  return readers;
}

/** After a restart everything that was acknowledged or shown is there, at its position. */
async function expectAllThere(
  folder: string,
  writers: readonly Writer[],
  shown: readonly string[],
): Promise<void> {
  const server = await startBuiltServer({ folder });
  try {
    for (const [index, { stream, acked }] of writers.entries()) {
      const response = await fetch(`${server.url}/v1/stream/${stream}`);
      const content = response.status === 404 ? '' : await response.text();
      expect(content.startsWith(acked.map(recordOf).join(''))).toBe(true);
      expect(content.startsWith(shown[index] ?? '')).toBe(true);
    }
    expect(await create(server.url, 'afterwards')).toBe('done');
    expect(await append(server.url, 'afterwards', nextMark())).toBe('done');
  } finally {
    await server.kill();
  }
}

interface Outcome {
  readonly kind: 'did not start' | 'refused' | 'went on';
  readonly acknowledged: number;
}

async function failOnce(error: string, n: number): Promise<Outcome> {
  const run = await startTracedServer(`fsync,fdatasync:error=${error}:when=${n}`);
  const writers: Writer[] = Array.from({ length: WRITERS }, (_each, index) => ({
    stream: `s${index}`,
    acked: [],
    refused: undefined,
  }));
  try {
    const shown = await liveOnce(run, writers, n);
    const { leaks, injected } = run.proof();
    expect(leaks.slice(0, 5)).toEqual([]);
    expect(injected).toBeGreaterThan(0);
    await expectAllThere(run.folder, writers, shown ?? []);
    const acknowledged = writers.reduce((sum, { acked }) => sum + acked.length, 0);
    if (!shown) return { kind: 'did not start', acknowledged };
    return { kind: writers.some(({ refused }) => refused) ? 'refused' : 'went on', acknowledged };
  } catch (cause) {
    throw new Error(`${error} at sync ${n}`, { cause });
  } finally {
    if ('url' in run.server) await run.server.kill();
    run.remove();
  }
}

/** Returns what readers were shown; undefined if the server did not start, which it must then report. */
async function liveOnce(
  { server }: TracedRun,
  writers: readonly Writer[],
  n: number,
): Promise<readonly string[] | undefined> {
  if (!('url' in server)) {
    expect(server.exitCode, server.stderr).toBeGreaterThan(0);
    expect(JSON.parse(server.stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({
      error: { code: expect.stringMatching(/^[A-Z_]+$/) },
    });
    return undefined;
  }
  const readers = await liveThrough(server.url, writers, n + SPARE);
  await expectStopped(server);
  return Promise.all(readers);
}

test.each(ERRORS)(
  `%s at any of syncs ${FIRST} to ${LAST}: nothing is acknowledged that is not on disk`,
  async (error) => {
    const left = Array.from({ length: LAST - FIRST + 1 }, (_each, index) => FIRST + index);
    const outcomes: Outcome[] = [];
    const work = async () => {
      for (let n = left.shift(); n !== undefined; n = left.shift()) outcomes.push(await failOnce(error, n));
    };
    await Promise.all(Array.from({ length: PARALLEL }, work));
    const count = (kind: Outcome['kind']) => outcomes.filter((each) => each.kind === kind).length;
    report(`streams-sync ${error}`, {
      runs: outcomes.length,
      didNotStart: count('did not start'),
      refusedFromThenOn: count('refused'),
      wentOn: count('went on'),
      acknowledged: outcomes.reduce((sum, { acknowledged }) => sum + acknowledged, 0),
      leaks: 0,
    });
  },
);
