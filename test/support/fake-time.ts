/**
 * A wall clock that a test sets while programs run. With libfaketime it is the clock of any program, down to its system
 * calls; without, a preloaded module moves the clock of Node programs only. Monotonic clocks are real in both cases.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import process from 'node:process';

const STEPPED_CLOCK = new URL('./stepped-clock.mjs', import.meta.url).href;

/** The library, or undefined if this machine has none. */
export function findFaketime(): string | undefined {
  const roots = ['/usr/lib', '/usr/lib64', '/usr/local/lib', '/opt/homebrew/lib'].filter(existsSync);
  const folders = roots.flatMap((root) => [root, ...readdirSync(root).map((name) => `${root}/${name}`)]);
  const names = ['libfaketimeMT.so.1', 'libfaketimeMT.1.dylib'];
  return folders
    .flatMap((folder) => names.map((name) => `${folder}/faketime/${name}`))
    .find((path) => existsSync(path));
}

/** Removes the shared memory of programs that were killed. */
export function removeFaketimeMemory(): void {
  const folder = '/dev/shm';
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const pid = /^(?:sem\.)?faketime_s(?:hm|em)_(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(`${folder}/${name}`, { force: true });
  }
}

export class FakeTime {
  readonly #file: string;
  readonly #library: string | undefined;
  offsetSeconds = 0;

  constructor(file: string, library = findFaketime()) {
    this.#file = file;
    this.#library = library;
    this.set(0);
  }

  /** Whether it is the clock of every program. */
  get isWhole(): boolean {
    return this.#library !== undefined;
  }

  /** The environment of a program with this clock. */
  get env(): Readonly<Record<string, string>> {
    if (!this.#library) return { NODE_OPTIONS: `--import ${STEPPED_CLOCK}`, CLOCK_OFFSET_FILE: this.#file };
    return {
      LD_PRELOAD: this.#library,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_RESET: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
  }

  /** Sets the clock to the real time plus this. */
  set(offsetSeconds: number): void {
    this.offsetSeconds = offsetSeconds;
    const sign = offsetSeconds < 0 ? '' : '+';
    writeFileSync(`${this.#file}.new`, this.#library ? `${sign}${offsetSeconds}` : String(offsetSeconds));
    renameSync(`${this.#file}.new`, this.#file);
  }

  /** How far a program's wall clock and its monotonic clock are from ours, in seconds. */
  measure(): { readonly wall: number; readonly monotonic: number } {
    const script = 'console.log(JSON.stringify([Date.now(), Number(process.hrtime.bigint()) / 1e6]))';
    const env = { PATH: process.env['PATH'] ?? '', ...this.env };
    const [wall, monotonic] = JSON.parse(
      execFileSync(process.execPath, ['-e', script], { env, encoding: 'utf8' }),
    );
    const seconds = (ms: number) => Math.round(ms / 1000);
    return {
      wall: seconds(wall - Date.now()),
      monotonic: seconds(monotonic - Number(process.hrtime.bigint()) / 1e6),
    };
  }
}
