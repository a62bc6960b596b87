/**
 * Appends of several megabytes are written in pieces before any reader sees them. The server is killed in the middle of
 * them, repeatedly: afterwards every stream has whole records only, including each acknowledged one, and the staged
 * pieces of the others are gone from the file.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { type BuiltServer, startBuiltServer } from '../support/built-server.js';

const Database = createRequire(import.meta.url)('libsql') as new (
  path: string,
) => { prepare(sql: string): { all(): Record<string, number>[] }; close(): void };

const RECORD_BYTES = 3_000_000;
const STREAMS = 3;
const KILLS = 4;
const STARTS_MAX = 5;
const HEADERS = { 'content-type': 'application/octet-stream' };

interface Written {
  sent: number;
  acknowledged: number;
}

/** Each record repeats its own byte. */
async function write(server: BuiltServer, n: number, written: Written): Promise<void> {
  for (;;) {
    const body = new Uint8Array(RECORD_BYTES).fill(written.sent + 1);
    written.sent++;
    const response = await fetch(`${server.url}/v1/stream/s${n}`, { method: 'POST', headers: HEADERS, body });
    if (response.status !== 204) throw new Error(`an append got ${response.status}`);
    written.acknowledged++;
  }
}

/** Returns the records of the stream; throws if one is not whole. */
async function recordsOf(server: BuiltServer, n: number): Promise<number[]> {
  const records: number[] = [];
  for (let offset = '-1'; ; ) {
    const response = await fetch(`${server.url}/v1/stream/s${n}?offset=${offset}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect([response.status, bytes.length % RECORD_BYTES]).toEqual([200, 0]);
    for (let at = 0; at < bytes.length; at += RECORD_BYTES) {
      const record = bytes.subarray(at, at + RECORD_BYTES);
      expect(Buffer.alloc(RECORD_BYTES, record[0]).equals(record)).toBe(true);
      records.push(record[0] ?? 0);
    }
    if (response.headers.get('stream-up-to-date') !== null) return records;
    offset = response.headers.get('stream-next-offset') ?? '';
  }
}

function looseIn(folder: string): Record<string, number> {
  const database = new Database(join(folder, 'sonde.db'));
  const [row] = database
    .prepare(
      `SELECT (SELECT count(*) FROM loose_data) AS loose, (SELECT count(*) FROM long_data) AS data,
        (SELECT count(*) FROM chunks WHERE typeof(data) = 'integer') AS used`,
    )
    .all();
  database.close();
  return row ?? {};
}

test('a kill in the middle of long appends leaves whole records, and nothing of the others', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-staged-'));
  const written: Written[] = Array.from({ length: STREAMS }, () => ({ sent: 0, acknowledged: 0 }));
  let server = await startBuiltServer({ folder });
  try {
    for (const n of written.keys())
      await fetch(`${server.url}/v1/stream/s${n}`, { method: 'PUT', headers: HEADERS });
    for (let kill = 0; kill < KILLS; kill++) {
      const goal = written.reduce((sum, { acknowledged }) => sum + acknowledged, 0) + STREAMS + kill;
      const writing = written.map((each, n) => write(server, n, each).catch(() => undefined));
      await vi.waitUntil(() => written.reduce((sum, { acknowledged }) => sum + acknowledged, 0) >= goal, {
        timeout: 60_000,
        interval: 3,
      });
      await server.kill();
      await Promise.all(writing);
      server = await startBuiltServer({ folder });
      for (const [n, each] of written.entries()) {
        const records = await recordsOf(server, n);
        expect(records.length).toBeGreaterThanOrEqual(each.acknowledged);
        expect(records.length).toBeLessThanOrEqual(each.sent);
        // In order, and possibly without records lost before they were acknowledged.
        expect(records).toEqual([...new Set(records)].toSorted((a, b) => a - b));
        each.acknowledged = records.length;
      }
    }
    // What a stop seals is cleared by the next start.
    for (let starts = 0; starts < STARTS_MAX; starts++) {
      await server.stop();
      const { loose = 0, data, used = 0 } = looseIn(folder);
      expect(data).toBe(used + loose);
      if (loose === 0) return;
      server = await startBuiltServer({ folder });
    }
    expect.unreachable('unused data is still in the file');
  } finally {
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}, 240_000);
