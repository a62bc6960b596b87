/** A server whose event loop and memory are measured from outside, with the heap that Node takes in a small container. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { mintToken } from '../../src/api/auth/mint-token.js';

/** Another build of the program, to measure a change against it. */
const PROGRAM =
  process.env['SONDE_PROGRAM'] ?? fileURLToPath(new URL('../../dist/sonde.js', import.meta.url));
const METER = new URL('../support/loop-meter.mjs', import.meta.url).href;
const SECRET = 'a-secret-for-the-tokens-of-these-tests-0';
const HEAP_MIB = 1024;
const ROUNDS = 5;
export const MIB = 1024 * 1024;

export interface Measured {
  readonly ms: number;
  /** The most memory above that of the idle server. */
  readonly grownMiB: number;
}

interface MeterReading {
  readonly worstMs: number;
  readonly rssBytes: number;
  readonly peakBytes: number;
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export const json = (body: unknown) => ({
  headers: { 'content-type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

export class StallServer {
  readonly #flags: () => readonly string[];
  readonly #folders: string[] = [];
  #child: ChildProcess | undefined;
  #authorization = '';
  url = '';
  /** The data folder. */
  folder = '';
  /** Of the server before any surface. */
  #idleBytes = 0;

  /** `flags` are read at each start. */
  constructor(flags: () => readonly string[]) {
    this.#flags = flags;
  }

  /** Replaces the server with a fresh one that has no work and ends live reads after this time. */
  async restart({ sse = '1s' } = {}): Promise<void> {
    this.#child?.kill('SIGKILL');
    this.#authorization = `Bearer ${await mintToken({ secret: SECRET, tenant: 'default', scopes: ['admin'], expiresInSeconds: 36_000 })}`;
    this.folder = mkdtempSync(join(tmpdir(), 'sonde-stall-'));
    this.#folders.push(this.folder);
    const args = ['serve', '--json', '--port', '0', '--data', this.folder, '--sse-ms', sse];
    const child = fork(PROGRAM, [...args, ...this.#flags(), '--rate-per-minute', '0'], {
      execArgv: ['--import', METER, `--max-old-space-size=${HEAP_MIB}`],
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      env: { SONDE_JWT_SECRET: SECRET },
    });
    this.#child = child;
    if (!child.stdout) throw new Error('the server has no output');
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    this.url = JSON.parse(line).url;
    await this.get('/api/health');
    this.#idleBytes = (await this.meter('reset')).rssBytes;
  }

  stop(): void {
    this.#child?.kill('SIGKILL');
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true });
  }

  get credential(): string {
    return this.#authorization;
  }

  async meter(message: 'reset' | 'read'): Promise<MeterReading> {
    const child = this.#child;
    if (!child) throw new Error('the server was not started');
    const response = once(child, 'message');
    child.send(message);
    const [measured] = (await response) as [MeterReading];
    return measured;
  }

  /** The median of the worst delays while `act` runs, minus that of an idle server, and the peak of its memory. */
  async measure(act: () => Promise<unknown>): Promise<Measured> {
    const delays: number[] = [];
    let peakBytes = 0;
    for (let round = 0; round < ROUNDS; round++) {
      await this.meter('reset');
      await pause(100);
      const idle = await this.meter('reset');
      await act();
      const read = await this.meter('read');
      delays.push(Math.max(0, read.worstMs - idle.worstMs));
      peakBytes = Math.max(peakBytes, read.peakBytes);
    }
    const ms = delays.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
    return { ms, grownMiB: Math.round((peakBytes - this.#idleBytes) / MIB) };
  }

  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: this.#authorization, ...(init.headers as Record<string, string>) };
    return fetch(this.url + path, { ...init, headers });
  }

  /** Sends a request and discards its body as it arrives. Returns the status and the number of bytes. */
  async send(method: string, path: string, init: Omit<RequestInit, 'method'> = {}) {
    const response = await this.fetch(path, { ...init, method });
    let bytes = 0;
    for await (const chunk of response.body ?? []) bytes += chunk.length;
    return { status: response.status, bytes };
  }

  async get<T>(path: string): Promise<T> {
    return (await this.fetch(path)).json() as Promise<T>;
  }

  async post<T>(path: string, body: unknown): Promise<T> {
    const response = await this.fetch(path, { method: 'POST', ...json(body) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`);
    return JSON.parse(text) as T;
  }

  /** Waits until the row at this path has ended. */
  async ended(path: string): Promise<string> {
    for (let n = 0; n < 1_200; n++) {
      const { status } = await this.get<{ status: string }>(path);
      if (status !== 'queued' && status !== 'running') return status;
      await pause(100);
    }
    throw new Error(`${path} did not end`);
  }
}
