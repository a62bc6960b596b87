/**
 * A worker in its own process, for tests that kill it. Its jobs take as long as their payload specifies, report the
 * lease under which they run, and end with it. A poison job kills the process; a job with `steps` does so on its first
 * attempt after that many steps. The worker prints what the store refused, and every step that ran, on stdout, one per
 * line.
 */
import process from 'node:process';
import { JobWakes, JobWorker } from '../../src/jobs/index.js';
import type { Log } from '../../src/log.js';
import { createRedactor } from '../../src/net/index.js';
import { openPostgres } from '../../src/runtimes/node/postgres/open-postgres.js';
import { createPostgresHints } from '../../src/stores/postgres/postgres-job-hints.js';
import { PostgresJobStore } from '../../src/stores/postgres/postgres-job-store.js';

const [url = '', workerId = '', leaseMs = '2000', concurrency = '4'] = process.argv.slice(2);
const say = (line: string) => process.stdout.write(`${line}\n`);
const quiet = () => undefined;
const log: Log = {
  debug: quiet,
  info: quiet,
  warn: (message) => {
    if (/lease (?:is|was) lost|its lease/.test(message)) say('refused');
  },
  error: (message) => say(`error ${message}`),
  child: () => log,
};

const database = openPostgres({ url, log, connections: 3 });
const worker = new JobWorker({
  store: new PostgresJobStore(database),
  handlers: {
    async hello(payload, { job, progress, signal, steps: recorded }) {
      const { ms, poison, steps } = payload as { ms: number; poison?: true; steps?: number };
      if (poison) process.kill(process.pid, 'SIGKILL');
      for (let at = 0; steps !== undefined && at < steps * 2; at++) {
        if (at === steps && job.attempt === 1) process.kill(process.pid, 'SIGKILL');
        await recorded.do(`step-${at}`, {}, async () => say(`step ${at}`));
      }
      const lease = job.leaseToken;
      progress({ percent: 50, message: 'half', data: { lease } });
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(resolve, ms);
        signal.addEventListener('abort', () => {
          clearTimeout(timer);
          reject(signal.reason);
        });
      });
      return { lease };
    },
  },
  hints: createPostgresHints(database),
  wakes: new JobWakes(),
  log,
  redactor: createRedactor(),
  clock: Date.now,
  random: Math.random,
  options: {
    workerId,
    leaseMs: Number(leaseMs),
    concurrency: Number(concurrency),
    pollMs: 500,
    durationMs: 86_400_000,
  },
});
await worker.start();
say('ready');
