import { execFileSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BuiltServer, startBuiltServer } from '../support/built-server.js';
import { report } from '../support/fault-report.js';

/**
 * A real disk that is full. The file system is mounted for the server alone, in a namespace that ends with it; the test
 * reaches it through /proc. ext4 on a loop device needs root; tmpfs needs a user who may unshare.
 */
const MEGABYTES = 32;
const isRoot = process.getuid?.() === 0;
const SYSTEMS = isRoot ? (['ext4', 'tmpfs'] as const) : (['tmpfs'] as const);

let base: string;
let server: BuiltServer | undefined;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'sonde-disk-'));
  mkdirSync(join(base, 'disk'));
});
afterEach(async () => {
  await server?.kill();
  server = undefined;
  rmSync(base, { recursive: true, force: true });
});

function makeDisk(system: (typeof SYSTEMS)[number]): void {
  if (system === 'tmpfs') return;
  const image = join(base, 'image');
  writeFileSync(image, '');
  truncateSync(image, MEGABYTES * 1024 * 1024);
  execFileSync('mkfs.ext4', ['-q', '-F', '-m', '0', image]);
}

function wrapperFor(system: (typeof SYSTEMS)[number]): string[] {
  const disk = join(base, 'disk');
  const mount =
    system === 'ext4'
      ? `mount -o loop ${join(base, 'image')} ${disk}`
      : `mount -t tmpfs -o size=${MEGABYTES}m tmpfs ${disk}`;
  const asRoot = isRoot ? [] : ['--map-root-user'];
  return ['unshare', '--mount', ...asRoot, 'sh', '-c', `${mount} && exec "$@"`, 'sh'];
}

async function start(system: (typeof SYSTEMS)[number]): Promise<BuiltServer> {
  server = await startBuiltServer({
    folder: join(base, 'disk', 'data'),
    wrapper: wrapperFor(system),
    args: ['--drain-ms', '0'],
  });
  return server;
}

const ballastOf = ({ pid }: BuiltServer) => join('/proc', String(pid), 'root', base, 'disk', 'ballast');

/** Fills the disk to the last byte. */
function fill(running: BuiltServer): void {
  const file = openSync(ballastOf(running), 'a');
  try {
    for (let size = 1024 * 1024; size >= 1; size = Math.floor(size / 4)) {
      const piece = Buffer.alloc(size, 1);
      try {
        while (writeSync(file, piece) > 0);
      } catch (error) {
        expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
      }
    }
  } finally {
    closeSync(file);
  }
}

/** A unique record, so that any trace of it can be found. */
function recordOf(n: number, bytes: number): string {
  return `<${n}:${'x'.repeat(bytes)}>`;
}

async function append(url: string, body: string): Promise<string> {
  const response = await fetch(`${url}/v1/stream/s`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body,
  });
  const text = await response.text();
  return response.status < 300 ? 'done' : `${response.status} ${JSON.parse(text).error.code}`;
}

function follow(url: string): { shown(): string } {
  let text = '';
  const request = get(`${url}/v1/stream/s?offset=-1&live=sse`, (response) => {
    response.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    response.on('error', () => {});
  });
  request.on('error', () => {});
  return {
    shown: () =>
      text
        .split('\n\n')
        .filter((event) => event.startsWith('event: data\ndata:'))
        .map((event) => event.slice('event: data\ndata:'.length))
        .join(''),
  };
}

const contentOf = async (url: string) => (await fetch(`${url}/v1/stream/s`)).text();

test.each(SYSTEMS)(
  'a full %s is 507, acknowledges and shows nothing, and recovers once there is room',
  async (system) => {
    makeDisk(system);
    let running = await start(system);
    await fetch(`${running.url}/v1/stream/s`, { method: 'PUT', headers: { 'content-type': 'text/plain' } });
    const reader = follow(running.url);
    const acked: string[] = [];
    let n = 0;
    const write = async (bytes: number) => {
      const record = recordOf(n++, bytes);
      const outcome = await append(running.url, record);
      if (outcome === 'done') acked.push(record);
      return outcome;
    };
    for (let i = 0; i < 20; i++) expect(await write(1000)).toBe('done');

    fill(running);
    let refused = 0;
    for (let i = 0; i < 400; i++) {
      const outcome = await write(i % 2 === 0 ? 60_000 : 100);
      if (outcome === 'done') continue;
      expect(outcome).toBe('507 STORAGE_FULL');
      refused++;
    }
    expect(refused).toBeGreaterThan(100);
    const whileFull = acked.length;
    expect(await contentOf(running.url)).toBe(acked.join(''));
    expect((await fetch(`${running.url}/api/ready`)).status).toBe(200);

    if (system === 'ext4') {
      // Killed and restarted without a free byte, the server still serves reads and refuses what it cannot store.
      await running.kill();
      running = await start(system);
      expect(await contentOf(running.url)).toBe(acked.join(''));
      expect(await write(60_000)).toBe('507 STORAGE_FULL');
    }

    const again = system === 'ext4' ? follow(running.url) : reader;
    rmSync(ballastOf(running));
    for (let i = 0; i < 20; i++) expect(await write(20_000)).toBe('done');
    expect(await contentOf(running.url)).toBe(acked.join(''));
    await expect.poll(() => again.shown().length, { timeout: 10_000 }).toBe(acked.join('').length);
    expect(again.shown()).toBe(acked.join(''));

    if (system === 'ext4') {
      await running.kill();
      running = await start(system);
      expect(await contentOf(running.url)).toBe(acked.join(''));
    }
    report(`streams-disk ${system}`, {
      acknowledged: acked.length,
      refused,
      acknowledgedWhileFull: whileFull - 20,
    });
  },
);
