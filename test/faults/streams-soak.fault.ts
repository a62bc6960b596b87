import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startBuiltServer } from '../support/built-server.js';
import { report } from '../support/fault-report.js';

/**
 * Many readers of one stream for a long time. Memory must stay under its limit and must not creep: after the warm-up, a
 * straight line fitted to the resident size may rise by no more than `SLOPE_MAX` per minute, which over ten minutes is
 * less than one garbage collection adds or frees.
 */
const MINUTES = Number(process.env['SONDE_SOAK_MINUTES'] ?? 10);
const READERS = 1000;
const APPENDS_PER_SECOND = 10;
const RECORD_BYTES = 1000;
const WARM_UP = 0.2;
const RESIDENT_MAX_MB = 300;
const SLOPE_MAX = 1;

const RECORD = /<(\d{8}):\.*>/g;

/**
 * Opens one connection after another, each from the offset at which the last one ended; every record arrives once, in
 * order.
 */
class Reader {
  next = 0;
  connections = 0;
  fault: string | undefined;
  readonly #address: { readonly host: string; readonly port: number };
  #offset = '-1';
  #text = '';
  #socket: Socket | undefined;
  #stopped = false;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#address = { host: hostname, port: Number(port) };
  }

  open(): void {
    if (this.#stopped || this.fault) return;
    this.connections++;
    this.#text = '';
    const socket = connect(this.#address);
    this.#socket = socket;
    socket.setEncoding('latin1');
    socket.write(
      `GET /v1/stream/s?offset=${this.#offset}&live=sse HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`,
    );
    socket.on('data', (piece: string) => this.#take(piece));
    socket.on('error', () => {});
    socket.on('close', () => this.open());
  }

  stop(): void {
    this.#stopped = true;
    this.#socket?.destroy();
  }

  /** Handles whole events only; a partial one waits for the rest. */
  #take(piece: string): void {
    this.#text += piece;
    const end = this.#text.lastIndexOf('event: control\ndata:');
    const stop = this.#text.indexOf('\n\n', end);
    if (end < 0 || stop < 0) return;
    const whole = this.#text.slice(0, stop);
    for (const [, number] of whole.matchAll(RECORD)) {
      if (Number(number) !== this.next) this.fault ??= `got ${number}, wanted ${this.next}`;
      this.next = Number(number) + 1;
    }
    this.#offset = /"streamNextOffset":"([^"]+)"/.exec(whole.slice(end))?.[1] ?? this.#offset;
    this.#text = this.#text.slice(stop);
  }
}

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** The slope per minute of a least-squares line. */
function slopeOf(samples: readonly { readonly minute: number; readonly mb: number }[]): number {
  const mean = (of: (sample: { minute: number; mb: number }) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const [minute, mb] = [mean((each) => each.minute), mean((each) => each.mb)];
  return (
    mean((each) => (each.minute - minute) * (each.mb - mb)) / mean((each) => (each.minute - minute) ** 2)
  );
}

/** The store's memory is bounded and fills with use (16 MiB of pages). That is not a creep, so it is filled first. */
async function fillCaches(url: string): Promise<void> {
  const headers = { 'content-type': 'text/plain' };
  await fetch(`${url}/v1/stream/other`, { method: 'PUT', headers });
  for (let i = 0; i < 400; i++) {
    const body = '.'.repeat(64 * 1024);
    expect((await fetch(`${url}/v1/stream/other`, { method: 'POST', headers, body })).status).toBe(204);
  }
}

test(`${READERS} readers of one stream for ${MINUTES} minutes: memory stays bounded and flat`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-soak-'));
  const server = await startBuiltServer({ folder, args: ['--drain-ms', '0'] });
  const readers = Array.from({ length: READERS }, () => new Reader(server.url));
  try {
    const headers = { 'content-type': 'text/plain' };
    await fillCaches(server.url);
    await fetch(`${server.url}/v1/stream/s`, { method: 'PUT', headers });
    for (const reader of readers) reader.open();
    const samples: { minute: number; mb: number }[] = [];
    const begun = Date.now();
    let written = 0;
    for (let tick = 0; Date.now() - begun < MINUTES * 60_000; tick++) {
      await new Promise((resolve) =>
        setTimeout(resolve, begun + tick * (1000 / APPENDS_PER_SECOND) - Date.now()),
      );
      const body = `<${String(written).padStart(8, '0')}:${'.'.repeat(RECORD_BYTES - 11)}>`;
      const { status } = await fetch(`${server.url}/v1/stream/s`, { method: 'POST', headers, body });
      expect(status).toBe(204);
      written++;
      if (tick % 50 === 0)
        samples.push({ minute: (Date.now() - begun) / 60_000, mb: residentMb(server.pid) });
    }
    await expect.poll(() => readers.filter(({ next }) => next < written).length, { timeout: 60_000 }).toBe(0);
    expect(readers.map(({ fault }) => fault).find((fault) => fault)).toBeUndefined();
    const settled = samples.filter(({ minute }) => minute >= MINUTES * WARM_UP);
    const slope = slopeOf(settled);
    const most = Math.max(...samples.map(({ mb }) => mb));
    report('streams-soak', {
      minutes: MINUTES,
      readers: READERS,
      appends: written,
      deliveries: written * READERS,
      connections: readers.reduce((sum, { connections }) => sum + connections, 0),
      mostMb: Math.round(most),
      firstSettledMb: Math.round(settled[0]?.mb ?? 0),
      lastMb: Math.round(settled.at(-1)?.mb ?? 0),
      mbPerMinute: Number(slope.toFixed(3)),
    });
    expect(most).toBeLessThan(RESIDENT_MAX_MB);
    expect(slope).toBeLessThan(SLOPE_MAX);
  } finally {
    for (const reader of readers) reader.stop();
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
});
