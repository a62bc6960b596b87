/**
 * A backup of a server under load is a consistent snapshot: sound, startable, and with everything acknowledged before
 * it.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sonde } from '../engines/cli-process.js';
import { JOB_OPTIONS, type ServedForTest, serveForTest } from '../support/serve.js';
import { postJob } from './operators-run.js';

let root: string;
let data: string;
let copy: string;
const servers: ServedForTest[] = [];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sonde-backup-'));
  data = join(root, 'data');
  copy = join(root, 'copy');
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
  rmSync(root, { recursive: true, force: true });
});

/** In this process: `sonde backup` is the other process that reads its folder. */
async function start(folder: string): Promise<ServedForTest> {
  const server = await serveForTest({ dataDir: folder, jobs: { ...JOB_OPTIONS, concurrency: 0 } });
  servers.push(server);
  return server;
}

const BYTES = { 'content-type': 'application/octet-stream' };
const WRITERS = 4;
const PIECE_BYTES = 100_000;

const streamOf = (server: ServedForTest, name: string) => `${server.url}/v1/stream/${name}`;

/** Returns the n-th piece of every stream. */
function piece(n: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(PIECE_BYTES).fill(n % 251);
}

async function read(server: ServedForTest, name: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (let offset = '-1', more = true; more; ) {
    const response = await fetch(`${streamOf(server, name)}?offset=${offset}`);
    expect(response.status).toBe(200);
    parts.push(new Uint8Array(await response.arrayBuffer()));
    offset = response.headers.get('stream-next-offset') ?? '';
    more = response.headers.get('stream-up-to-date') !== 'true';
  }
  return Buffer.concat(parts);
}

test('a backup of a running server does not stop appends, and its copy has all that was acknowledged', async () => {
  const server = await start(data);
  const acked = Array.from({ length: WRITERS }, () => 0);
  let over = false;
  const writers = acked.map(async (_, writer) => {
    await fetch(streamOf(server, `w${writer}`), { method: 'PUT', headers: BYTES });
    for (let n = 0; !over; n++) {
      const response = await fetch(streamOf(server, `w${writer}`), {
        method: 'POST',
        headers: BYTES,
        body: piece(n),
      });
      expect(response.status).toBe(204);
      acked[writer] = n + 1;
    }
  });
  // Meanwhile streams with segments come and go: the copy must not refer to a segment that is gone.
  const churn = (async () => {
    for (let n = 0; !over; n++) {
      const url = streamOf(server, `gone${n}`);
      await fetch(url, { method: 'PUT', headers: BYTES, body: new Uint8Array(5 * 1024 * 1024) });
      await fetch(url, { method: 'DELETE' });
    }
  })();
  const jobId = await postJob(() => server.url, 'https://example.com/');
  // Each stream has more than a chunk, so that there are segments.
  await expect.poll(() => Math.min(...acked), { timeout: 60_000, interval: 50 }).toBeGreaterThan(50);
  const before = [...acked];
  const made = await sonde(['backup', copy, '--data', data, '--json']);
  const after = [...acked];
  over = true;
  await Promise.all([...writers, churn]);

  expect([made.code, made.stderr]).toEqual([0, '']);
  expect(JSON.parse(made.stdout)).toMatchObject({ records: true, folder: copy });
  expect(Math.max(...after.map((count, writer) => count - (before[writer] ?? 0)))).toBeGreaterThan(0);
  const verified = await sonde(['stream', 'verify', '--data', copy, '--json']);
  expect([verified.code, JSON.parse(verified.stdout).damaged]).toEqual([0, []]);

  const restored = await start(copy);
  for (const [writer, count] of before.entries()) {
    const whole = await read(server, `w${writer}`);
    const found = await read(restored, `w${writer}`);
    expect(found.length).toBeGreaterThanOrEqual(count * PIECE_BYTES);
    expect(Buffer.compare(found, whole.subarray(0, found.length))).toBe(0);
    // An offset that the original returned after the copy is invalid here.
    const offset = (await fetch(streamOf(server, `w${writer}`), { method: 'HEAD' })).headers.get(
      'stream-next-offset',
    );
    const end = await fetch(streamOf(restored, `w${writer}`), {
      method: 'POST',
      headers: BYTES,
      body: piece(0),
    });
    expect(end.status).toBe(204);
    const refused = await fetch(`${streamOf(restored, `w${writer}`)}?offset=${offset}`);
    if (found.length < whole.length) expect(refused.status).toBe(400);
  }
  expect((await fetch(`${restored.url}/api/jobs/${jobId}`)).status).toBe(200);
}, 240_000);

test('a backup of a quiet server includes the log, and the copy reuses no later offset of the original', async () => {
  const server = await start(data);
  await fetch(streamOf(server, 'a'), { method: 'PUT', headers: BYTES, body: piece(1) });
  expect((await sonde(['backup', copy, '--data', data])).code).toBe(0);
  const restored = await start(copy);
  expect(Buffer.compare(await read(restored, 'a'), piece(1))).toBe(0);
  const append = async (to: ServedForTest, n: number) => {
    const { status, headers } = await fetch(streamOf(to, 'a'), {
      method: 'POST',
      headers: BYTES,
      body: piece(n),
    });
    expect(status).toBe(204);
    return headers.get('stream-next-offset') ?? '';
  };
  const offset = await append(server, 2);
  expect(await append(restored, 3)).not.toBe(offset);
  expect((await fetch(`${streamOf(restored, 'a')}?offset=${offset}`)).status).toBe(400);
});

test('a backup of an unused folder includes its secrets and is readable by its owner only', async () => {
  const server = await start(data);
  await fetch(streamOf(server, 'a'), { method: 'PUT', headers: BYTES, body: piece(1) });
  await server.stop();
  expect((await sonde(['backup', copy, '--data', data])).code).toBe(0);
  const files = readdirSync(copy, { withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['records.db', 'sonde.db', 'sonde.db-mark']),
  );
  const secrets = (folder: string) =>
    readdirSync(join(folder, 'secrets')).map((name) => [
      name,
      readFileSync(join(folder, 'secrets', name), 'utf8'),
    ]);
  expect(secrets(copy)).toEqual(secrets(data));
  for (const { name } of files) expect([name, statSync(join(copy, name)).mode & 0o077]).toEqual([name, 0]);
  expect(Buffer.compare(await read(await start(copy), 'a'), piece(1))).toBe(0);
});

test('a backup is refused if the target exists or there is nothing to copy', async () => {
  const nothing = await sonde(['backup', copy, '--data', data]);
  expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining('contains no streams')]);
  await (await start(data)).stop();
  const used = join(root, 'used');
  await sonde(['backup', used, '--data', data]);
  writeFileSync(join(used, 'mine'), 'x');
  const refused = await sonde(['backup', used, '--data', data]);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('is not empty')]);
  expect(existsSync(join(used, 'mine'))).toBe(true);
});
