/**
 * A disk that is full for five minutes (SONDE_FULL_SECONDS) while responses are running. All of them end and say why, no
 * upstream is called while the disk is known to be full, what was acknowledged stays, and service returns by itself.
 */
import { afterEach, expect, test } from 'vitest';
import { report } from '../support/fault-report.js';
import { listenHttp } from '../support/listen.js';
import { DISK_KINDS, SmallDisk } from '../support/small-disk.js';

const FULL_MS = Number(process.env['SONDE_FULL_SECONDS'] ?? 300) * 1_000;
const RESPONSES = 20;
/** The server finds out within a second that the disk is full or has room again. */
const KNOWN_MS = 1_500;

let disk: SmallDisk | undefined;
afterEach(() => disk?.remove());

/** Sends a piece of each response every 100 ms, until it is told to end. */
async function startUpstream() {
  let calls = 0;
  const listening = await listenHttp((request, response) => {
    calls++;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (request.url !== '/slow') return void response.end('data: whole\n\n');
    const timer = setInterval(() => response.write(`data: ${'x'.repeat(2_000)}\n\n`), 100);
    response.on('close', () => clearInterval(timer));
  });
  return { ...listening, calls: () => calls };
}

const until = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function create(url: string, target: string, key?: string) {
  const headers = {
    'upstream-url': target,
    'upstream-method': 'GET',
    ...(key && { 'idempotency-key': key }),
  };
  const response = await fetch(`${url}/v1/proxy`, { method: 'POST', headers });
  const body = await response.text();
  const code = response.status < 300 ? '' : ` ${JSON.parse(body).error.code}`;
  return {
    outcome: `${response.status}${code}`,
    location: response.headers.get('location') ?? '',
    retryAfter: response.headers.get('retry-after'),
  };
}

test.each(DISK_KINDS)('responses of a %s that was full for minutes all end and say why', async (kind) => {
  const upstream = await startUpstream();
  disk = new SmallDisk(kind);
  const server = await disk.start(['--proxy-allow', `private:${upstream.origin}/*`]);
  const whole = await create(server.url, `${upstream.origin}/whole`, 'kept');
  expect(whole.outcome).toBe('201');
  const running = await Promise.all(
    Array.from({ length: RESPONSES }, () => create(server.url, `${upstream.origin}/slow`)),
  );
  expect(running.map(({ outcome }) => outcome)).toEqual(Array(RESPONSES).fill('201'));

  disk.fill();
  const fullSince = Date.now();
  await until(KNOWN_MS);
  const before = upstream.calls();
  let refused = 0;
  for (let n = 0; Date.now() - fullSince < FULL_MS; n++) {
    const keyed = n % 2 === 0 ? { key: `k${n % 10}` } : {};
    const attempt = await create(server.url, `${upstream.origin}/whole`, keyed.key);
    expect(attempt).toMatchObject({ outcome: '507 STORAGE_FULL', retryAfter: '30' });
    refused++;
    if (n % 10 === 0) {
      expect((await create(server.url, `${upstream.origin}/whole`, 'kept')).outcome).toBe('200');
      expect(await (await fetch(whole.location)).text()).toBe('data: whole\n\n');
      expect((await fetch(`${server.url}/api/ready`)).status).toBe(503);
    }
    await until(500);
  }
  expect(upstream.calls()).toBe(before);

  disk.free();
  const freedAt = Date.now();
  await expect
    .poll(async () => (await create(server.url, `${upstream.origin}/whole`, 'k0')).outcome, {
      timeout: 10_000,
    })
    .toBe('201');
  const servedMs = Date.now() - freedAt;
  for (const { location } of running) {
    const shown = await fetch(location);
    await shown.text();
    await expect
      .poll(async () => (await fetch(location)).headers.get('upstream-outcome'), { timeout: 30_000 })
      .toBe('failed');
    expect((await fetch(location)).headers.get('upstream-error')).toBe('STORAGE_ERROR');
  }
  const endedMs = Date.now() - freedAt;
  expect(await (await fetch(whole.location)).text()).toBe('data: whole\n\n');
  await upstream.close();
  report(`proxy-disk ${kind}`, { fullMs: FULL_MS, refused, callsWhileFull: 0, servedMs, endedMs });
});
