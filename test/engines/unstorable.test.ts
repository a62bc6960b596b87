/** A response that is known not to fit is not paid for: nothing is sent while the data folder cannot be written to. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startBuiltServer } from '../support/built-server.js';
import { Upstream } from '../support/proxy-bench.js';
import { serveForTest } from '../support/serve.js';

test('no upstream is called while the data folder is gone, with or without a key, and inline', async () => {
  const base = mkdtempSync(join(tmpdir(), 'sonde-unstorable-'));
  const dataDir = join(base, 'data');
  const upstream = await Upstream.start();
  const allow = [`private:${upstream.origin}/*`];
  const routes = { model: { url: `${upstream.origin}/v1`, private: true } };
  const server = await serveForTest({ dataDir, proxy: { allow, routes, env: () => undefined } });
  try {
    const create = (key?: string) =>
      fetch(`${server.url}/v1/proxy`, {
        method: 'POST',
        headers: {
          'upstream-url': `${upstream.origin}/answer`,
          'upstream-method': 'GET',
          ...(key !== undefined && { 'idempotency-key': key }),
        },
      });
    expect((await create()).status).toBe(201);
    renameSync(dataDir, join(base, 'away'));
    expect((await fetch(`${server.url}/api/ready`)).status).toBe(503);
    const inline = () => fetch(`${server.url}/r/model/chat`, { method: 'POST', body: '{}' });
    for (const refused of [await create(), await create('k'), await inline()]) {
      expect(refused.status).toBe(503);
      expect(refused.headers.get('retry-after')).toBe('2');
      const { error } = (await refused.json()) as { error: { code: string; message: string } };
      expect(error.code).toBe('STORAGE_UNAVAILABLE');
    }
    expect(upstream.asked).toHaveLength(1);
    renameSync(join(base, 'away'), dataDir);
    await expect.poll(async () => (await create('k')).status, { timeout: 10_000 }).toBe(201);
    expect((await inline()).status).toBe(200);
  } finally {
    await server.stop();
    await upstream.listening.close();
    rmSync(base, { recursive: true, force: true });
  }
});

test('no upstream is called once the store has failed, although the folder can be written to again', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sonde-unstorable-'));
  const upstream = await Upstream.start();
  const server = await startBuiltServer({
    folder: dataDir,
    args: ['--proxy-allow', `private:${upstream.origin}/*`],
  });
  try {
    const create = () =>
      fetch(`${server.url}/v1/proxy`, {
        method: 'POST',
        headers: { 'upstream-url': `${upstream.origin}/answer`, 'upstream-method': 'GET' },
      });
    expect((await create()).status).toBe(201);
    execFileSync('prlimit', [`--pid=${server.pid}`, '--fsize=4096:']);
    const headers = { 'content-type': 'text/plain' };
    expect((await fetch(`${server.url}/v1/stream/s`, { method: 'PUT', headers })).status).toBe(503);
    execFileSync('prlimit', [`--pid=${server.pid}`, '--fsize=unlimited:']);
    const asked = upstream.asked.length;
    // A result from before the failure may be used for a second.
    await expect.poll(async () => (await create()).status, { timeout: 20_000, interval: 1_200 }).toBe(503);
    const before = upstream.asked.length;
    expect(before - asked).toBeLessThanOrEqual(1);
    const refused = await create();
    expect([refused.status, refused.headers.get('retry-after'), upstream.asked.length]).toEqual([
      503,
      '2',
      before,
    ]);
    expect(((await refused.json()) as { error: { message: string } }).error.message).toContain('restarted');
  } finally {
    await server.kill();
    await upstream.listening.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
