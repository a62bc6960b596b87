// Deleted data leaves the files, and a scan reads bytes that forks share once.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beginRun } from '../streams/processes.mjs';
import { pause, short } from '../streams/stats.mjs';
import { bar, line } from './print.mjs';
import { openGrown } from './server.mjs';

const SONDE = fileURLToPath(new URL('../../dist/sonde.js', import.meta.url));
const STREAMS = [2, 20, 200];
/** Small enough that its chunks are not sealed and do not leave the file on their own. */
const STREAM_BYTES = 1_000_000;
const SHRINK_MS = 120_000;
const FORKS = [1, 10, 50];
const MB = 1024 * 1024;
const BYTES = { 'content-type': 'application/octet-stream' };

/** @typedef {Awaited<ReturnType<typeof openGrown>>} Server */

/** @param {Server} server @param {string} path @param {RequestInit} init */
async function ask(server, path, init) {
  const response = await fetch(`${server.url}v1/stream/${path}`, init);
  await response.arrayBuffer();
  if (response.status >= 400) throw new Error(`${path}: ${response.status}`);
}

export async function measureFiles() {
  const peaks = [];
  const left = [];
  const logs = [];
  for (const streams of STREAMS) {
    const folder = mkdtempSync(join(beginRun(), 'growth-'));
    const server = await openGrown(folder);
    const size = (/** @type {string} */ name) => statSync(join(folder, name)).size / MB;
    const body = new Uint8Array(STREAM_BYTES).fill(1);
    for (let n = 0; n < streams; n++) await ask(server, `s${n}`, { method: 'PUT', headers: BYTES, body });
    for (let n = 0; n < streams; n++) await ask(server, `s${n}`, { method: 'DELETE' });
    peaks.push(size('sonde.db'));
    const from = performance.now();
    while (size('sonde.db') > 12 && performance.now() - from < SHRINK_MS) await pause(200);
    left.push(size('sonde.db'));
    logs.push(size('sonde.db-wal'));
    await server.stop();
  }
  line('file before it shrinks, MB', peaks, '(2, 20, 200 streams of 1 MB, deleted)');
  line('file after it, MB', left);
  line('log, MB', logs);
  bar(Math.max(...left) <= 12, `deleted streams leave a file of ${short(Math.max(...left))} MB (at most 12)`);
  bar(Math.max(...logs) <= 5, `and a log of ${short(Math.max(...logs))} MB (at most 5)`);
}

export async function measureVerify() {
  const read = [];
  for (const forks of FORKS) {
    const folder = mkdtempSync(join(beginRun(), 'growth-'));
    const server = await openGrown(folder);
    await ask(server, 'root', { method: 'PUT', headers: BYTES });
    for (let n = 0; n < 10; n++)
      await ask(server, 'root', { method: 'POST', headers: BYTES, body: new Uint8Array(1_000_000).fill(n) });
    for (let n = 0; n < forks; n++)
      await ask(server, `fork${n}`, { method: 'PUT', headers: { 'stream-forked-from': '/v1/stream/root' } });
    await server.stop();
    const found = JSON.parse(
      execFileSync(process.execPath, [SONDE, 'stream', 'verify', '--data', folder, '--json'], {
        encoding: 'utf8',
      }),
    );
    read.push(found.bytes / MB);
  }
  line('read by a scan of 10 MB with forks, MB', read, '(1, 10, 50 forks)');
  bar(Math.max(...read) < 11, `a scan reads ${short(Math.max(...read))} MB (10 are stored)`);
}
