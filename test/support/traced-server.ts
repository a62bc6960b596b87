/** The built server under strace, which writes down every write and sync, and may make some of them fail. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BuiltServer, type FailedStart, tryBuiltServer } from './built-server.js';
import { proveSyncs, type SyncProof } from './sync-trace.js';

export interface TracedRun {
  readonly folder: string;
  readonly server: BuiltServer | FailedStart;
  /** To be asked once the server has ended. */
  proof(): SyncProof;
  remove(): void;
}

/** Whole pages are printed, so that a record is seen wherever it lies in its page. */
const STRING_BYTES = 4200;
const CALLS = 'pwrite64,pwritev,write,writev,sendto,sendmsg,fsync,fdatasync';

export function demandStrace(): void {
  try {
    execFileSync('strace', ['-V'], { stdio: 'ignore' });
  } catch (cause) {
    throw new Error('this run needs Linux and strace: apt-get install strace', { cause });
  }
}

/** `inject` as strace takes it, such as `fsync:error=EIO:when=3`; counted for each thread on its own. */
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
