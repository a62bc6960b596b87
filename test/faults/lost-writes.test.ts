/** A log that lost its end is detected at the next start, and no returned offset ever names other bytes. */
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startBuiltServer } from '../support/built-server.js';
import { serveForTest } from '../support/serve.js';

let folder: string;
let server: { readonly url: string; end(): Promise<void> };
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-lost-writes-'));
});
afterEach(async () => {
  await server.end();
  rmSync(folder, { recursive: true, force: true });
});

const TEXT = { 'content-type': 'text/plain' };
const at = (name: string, query = '') => `${server.url}/v1/stream/${name}${query}`;

async function create(name: string): Promise<void> {
  expect((await fetch(at(name), { method: 'PUT', headers: TEXT })).status).toBe(201);
}

/** Appends and returns the next offset. */
async function append(name: string, body: string): Promise<string> {
  const response = await fetch(at(name), { method: 'POST', headers: TEXT, body });
  expect(response.status).toBe(204);
  return response.headers.get('stream-next-offset') ?? '';
}

const read = async (name: string) => (await fetch(at(name, '?offset=-1'))).text();

async function attention(): Promise<readonly string[]> {
  const response = await fetch(`${server.url}/api/ready`);
  return ((await response.json()) as { attention: string[] }).attention;
}

/** Starts a server whose end is a kill. Returns what it writes to stderr. */
async function startMortal(options: { readonly args?: readonly string[] } = {}): Promise<() => string> {
  const { url, kill, stderr } = await startBuiltServer({ folder, ...options });
  server = { url, end: kill };
  return stderr;
}

/** Starts a server in this process, for a test that needs no further kill. */
async function startLast(): Promise<void> {
  const { url, stop } = await serveForTest({ dataDir: folder });
  server = { url, end: stop };
}

async function restart(): Promise<void> {
  await server.end();
  await startMortal();
}

async function restartLast(): Promise<void> {
  await server.end();
  await startLast();
}

const LOG = () => join(folder, 'sonde.db-wal');
const FRAME_BYTES = 24 + 4096;

function flipBytesOfLog(): void {
  const bytes = readFileSync(LOG());
  const place = 32 + 20 * FRAME_BYTES + 1_000;
  bytes.writeUInt8(bytes.readUInt8(place) ^ 0xff, place);
  writeFileSync(LOG(), bytes);
}

const LOST = expect.stringContaining('acknowledged writes were lost before');

test.each([
  ['flipped bytes', flipBytesOfLog],
  ['the log is gone', () => rmSync(LOG())],
])(
  '%s: the loss is reported, and the stream continues in a chunk that was never used',
  async (_what, harm) => {
    const numbers = Array.from({ length: 60 }, (_, n) => `${n};`);
    await startMortal();
    await create('old');
    let last = '';
    for (const number of numbers) last = await append('old', number);
    await server.end();
    harm();
    const stderr = await startMortal();

    expect(await attention()).toEqual([LOST]);
    expect(stderr()).toContain('acknowledged writes were lost');
    if (!(await fetch(at('old'))).ok) await create('old');
    const kept = await read('old');
    expect(numbers.join('').startsWith(kept)).toBe(true);
    expect(kept.length).toBeLessThan(numbers.join('').length);

    const added = Array.from({ length: 80 }, (_, n) => `new${n};`);
    for (const text of added) await append('old', text);
    const refused = await fetch(at('old', `?offset=${last}`));
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ error: { code: 'OFFSET_INVALID' } });
    expect(await read('old')).toBe(kept + added.join(''));

    await restartLast();
    expect(await read('old')).toBe(kept + added.join(''));
    expect(readFileSync(join(folder, 'lost-writes.jsonl'), 'utf8').trim().split('\n')).toHaveLength(1);
    await server.end();
    rmSync(join(folder, 'lost-writes.jsonl'));
    await startLast();
    expect(await attention()).toEqual([]);
  },
);

const cutTo = (share: number) => (log: string) => truncateSync(log, Math.floor(statSync(log).size * share));

async function createJob(n: number): Promise<string> {
  const response = await fetch(`${server.url}/api/jobs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'hello', url: `https://example.com/${n}` }),
  });
  expect(response.status).toBe(202);
  return ((await response.json()) as { jobId: string }).jobId;
}

async function createSubscription(n: number): Promise<string> {
  const path = `/v1/stream/__ds/subscriptions/s${n}`;
  const response = await fetch(`${server.url}${path}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'pull-wake', pattern: 'a/*', wake_stream: 'wakes' }),
  });
  expect(response.status).toBe(201);
  return path;
}

const JOBS = ['records.db', async (n: number) => `/api/jobs/${await createJob(n)}`, 'jobs, audits'] as const;
const SUBSCRIPTIONS = ['sonde.db', createSubscription, 'subscriptions'] as const;
const remove = (log: string) => rmSync(log);

test.each([
  ['records.db-wal is gone', remove, ...JOBS],
  ['records.db-wal is cut to 60 %', cutTo(0.6), ...JOBS],
  ['sonde.db-wal is gone', remove, ...SUBSCRIPTIONS],
  ['sonde.db-wal has flipped bytes', flipBytesOfLog, ...SUBSCRIPTIONS],
] as const)(
  '%s: the loss of acknowledged writes that are not in a stream is reported once',
  async (_what, harm, file, make, of) => {
    const noWorker = { args: ['--job-concurrency', '0'] };
    await startMortal(noWorker);
    const made: string[] = [];
    for (let n = 0; n < 20; n++) made.push(await make(n));
    await server.end();
    harm(join(folder, `${file}-wal`));
    const stderr = await startMortal(noWorker);

    const statuses = await Promise.all(
      made.map(async (path) => (await fetch(`${server.url}${path}`)).status),
    );
    const lost = statuses.filter((status) => status === 404).length;
    expect(lost).toBeGreaterThan(0);
    expect(statuses).toEqual(made.map((_, n) => (n < made.length - lost ? 200 : 404)));
    expect(await attention()).toEqual([LOST]);
    expect(stderr()).toContain('acknowledged writes were lost');
    const report = readFileSync(join(folder, 'lost-writes.jsonl'), 'utf8').trim().split('\n');
    expect(report.map((line) => JSON.parse(line))).toEqual([
      {
        foundAt: expect.any(String),
        of: expect.stringContaining(of),
        lastWrite: expect.stringMatching(/^commit \d+ of 20/),
        found: expect.stringMatching(/^(?:no commit|commit \d+ of 20)/),
      },
    ]);

    await make(20);
    await server.end();
    rmSync(join(folder, 'lost-writes.jsonl'));
    await startLast();
    expect(await attention()).toEqual([]);
  },
);

test('a kill alone loses nothing and reports nothing, whatever came last', async () => {
  await startMortal();
  const jobId = await createJob(0);
  await createSubscription(0);
  await restart();
  expect((await fetch(`${server.url}/api/jobs/${jobId}`)).status).toBe(200);
  await create('kept');
  await append('kept', 'one');
  await restart();
  await create('gone');
  expect((await fetch(at('gone'), { method: 'DELETE' })).status).toBe(204);
  await restart();
  expect(
    (await fetch(at('kept'), { method: 'POST', headers: { ...TEXT, 'stream-closed': 'true' } })).status,
  ).toBe(204);
  await restartLast();
  expect(await read('kept')).toBe('one');
  expect(await attention()).toEqual([]);
  expect(existsSync(join(folder, 'lost-writes.jsonl'))).toBe(false);
});

test('a missing data folder accepts no appends, and accepts them again once it is restored', async () => {
  await startLast();
  await create('kept');
  renameSync(folder, `${folder}.away`);
  try {
    await expect
      .poll(async () => (await fetch(at('kept'), { method: 'POST', headers: TEXT, body: 'x' })).status, {
        timeout: 20_000,
      })
      .toBe(503);
    const refused = await fetch(at('other'), { method: 'PUT', headers: TEXT });
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({
      error: { code: 'STORAGE_UNAVAILABLE', message: expect.stringContaining('sonde.db is gone') },
    });
  } finally {
    renameSync(`${folder}.away`, folder);
  }
  await expect
    .poll(async () => (await fetch(at('kept'), { method: 'POST', headers: TEXT, body: 'x' })).status, {
      timeout: 20_000,
    })
    .toBe(204);
});
