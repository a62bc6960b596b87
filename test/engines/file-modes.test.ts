/** Only its own user can read what the server stores, whatever the umask and the folder's earlier mode. */
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepingLog, type LogLine } from '../support/keeping-log.js';
import { serveForTest } from '../support/serve.js';

let dataDir: string;
let umask: number;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'sonde-modes-'));
  umask = process.umask(0o000);
});
afterEach(() => {
  process.umask(umask);
  rmSync(dataDir, { recursive: true, force: true });
});

function openFiles(): string[] {
  return readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => (statSync(path).mode & 0o077) !== 0);
}

async function serveOnce(): Promise<readonly LogLine[]> {
  const lines: LogLine[] = [];
  const server = await serveForTest({ dataDir, log: keepingLog(lines) });
  const stream = `${server.url}/v1/stream/big`;
  const headers = { 'content-type': 'application/octet-stream' };
  await fetch(stream, { method: 'PUT', headers });
  // More than a chunk, so that a segment file is written.
  await fetch(stream, { method: 'POST', headers, body: new Uint8Array(5 * 1024 * 1024) });
  expect(openFiles()).toEqual([]);
  await server.stop();
  expect(openFiles()).toEqual([]);
  return lines;
}

const warned = (lines: readonly LogLine[]) =>
  lines.filter(({ message }) => message === 'other users of this machine can open the data folder');

test('files have mode 0600, and an open folder logs a warning with advice', async () => {
  chmodSync(dataDir, 0o755);
  expect(warned(await serveOnce())).toMatchObject([
    { level: 'warn', fields: { advice: `chmod 700 ${dataDir}` } },
  ]);
});

test('restricts files of an earlier start too; a private folder logs no warning', async () => {
  chmodSync(dataDir, 0o700);
  await serveOnce();
  for (const name of readdirSync(dataDir)) {
    if (name.endsWith('.db')) chmodSync(join(dataDir, name), 0o644);
  }
  expect(warned(await serveOnce())).toEqual([]);
});
