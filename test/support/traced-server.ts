/** The built server under strace, which records every write and sync and can make some of them fail. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BuiltServer, type FailedStart, tryBuiltServer } from './built-server.js';
import { proveSyncs, type SyncProof } from './sync-trace.js';

export interface TracedRun {
  readonly folder: string;
  readonly server: BuiltServer | FailedStart;
  /** Call it after the server has ended. */
  proof(): SyncProof;
  remove(): void;
}

/** Whole pages are printed, so that a record is found wherever it is in its page. */
const STRING_BYTES = 4200;
const CALLS = 'pwrite64,pwritev,write,writev,sendto,sendmsg,fsync,fdatasync';

export function demandStrace(): void {
  try {
    execFileSync('strace', ['-V'], { stdio: 'ignore' });
  } catch (cause) {
    throw new Error('this run needs Linux and strace: apt-get install strace', { cause });
  }
}

/** `inject` is strace syntax, such as `fsync:error=EIO:when=3`; strace counts per thread. */
export async function startTracedServer(inject?: string): Promise<TracedRun> {
  const base = mkdtempSync(join(tmpdir(), 'sonde-sync-'));
  const folder = join(base, 'data');
  const trace = join(base, 'trace');
  const options = ['-f', '--seccomp-bpf', '-qq', '-yy', '-s', String(STRING_BYTES), '-e', `trace=${CALLS}`];
  const injecting = inject === undefined ? [] : ['-e', `inject=${inject}`];
  const wrapper = ['strace', ...options, ...injecting, '-o', trace];
  return {
    folder,
    server: await tryBuiltServer({ folder, wrapper, args: ['--drain-ms', '0'] }),
    proof: () => proveSyncs(readFileSync(trace, 'latin1')),
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}
