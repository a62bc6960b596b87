/** A server, a worker and the commands for tenants and jobs, each in its own process, on one PostgreSQL database. */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, test } from 'vitest';
import { listenHttp } from '../support/listen.js';
import { newDatabase, runSql } from '../support/postgres-database.js';
import { finished, folderWith, type SondeOptions, shareProcess, startSonde } from './cli-process.js';

const sonde = shareProcess();

let databaseUrl: string;
beforeAll(async () => {
  databaseUrl = await newDatabase('template0');
});

const withDatabase = (cwd = folderWith()): SondeOptions => ({ cwd, env: { DATABASE_URL: databaseUrl } });

async function json(args: readonly string[], options: SondeOptions) {
  const { stdout, stderr, code } = await sonde([...args, '--json'], options);
  // On stderr the first of them prints which migrations it applied.
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

async function started(args: readonly string[], options: SondeOptions) {
  const child = startSonde([...args, '--json'], options);
  const [line] = await once(createInterface(child.stdout), 'line');
  return { child, printed: JSON.parse(line) };
}

describe('tenant', () => {
  test('is created once, listed, and given quotas that can be reset', async () => {
    const options = withDatabase();
    const made = await json(['tenant', 'create', 'acme', '--name', 'Acme', '--quota', 'webhooks=3'], options);
    expect(made.tenant).toMatchObject({ slug: 'acme', name: 'Acme', quotas: { webhooks: 3 } });
    const again = await sonde(['tenant', 'create', 'acme'], options);
    expect(again.code).not.toBe(0);
    expect(again.stderr).toContain('tenant "acme" already exists');
    const changed = await json(['tenant', 'quota', 'acme', 'jobsRunning=2', 'webhooks=default'], options);
    expect(changed.tenant.quotas).toMatchObject({ jobsRunning: 2, webhooks: 20 });
    const { tenants } = await json(['tenant', 'list'], options);
    expect(tenants.map(({ slug }: { slug: string }) => slug)).toContain('acme');
    const wrong = await sonde(['tenant', 'quota', 'acme', 'cakes=2'], options);
    expect(wrong.code).not.toBe(0);
    expect(wrong.stderr).toContain('cakes');
    expect((await sonde(['tenant', 'create', 'Not A Slug'], options)).code).not.toBe(0);
  });
});

describe('worker and jobs', () => {
  test('a worker needs a database', async () => {
    const { code, stderr } = await sonde(['worker']);
    expect(code).not.toBe(0);
    expect(stderr).toContain('DATABASE_URL');
  });

  test('a worker runs what a server queued; jobs lists, shows, cancels and retries it', async () => {
    const target = await listenHttp((request, response) => {
      if (request.url !== '/slow') response.end('hello');
    });
    const cwd = folderWith();
    const { child: server, printed } = await started(
      ['serve', '--port', '0', '--auth', 'none', '--job-concurrency', '0', '--allow-private', target.origin],
      withDatabase(cwd),
    );
    const queue = async (path: string): Promise<string> => {
      const response = await fetch(`${printed.url}/api/jobs`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ kind: 'hello', url: `${target.origin}${path}` }),
      });
      return ((await response.json()) as { jobId: string }).jobId;
    };
    const jobs = (...args: string[]) => json(['jobs', ...args, '--server', printed.url], { cwd });
    // Polls without a command each time, which could take longer than the job stays in its state.
    const untilIs = (jobId: string, status: string) =>
      expect
        .poll(async () => (await fetch(`${printed.url}/api/jobs/${jobId}`)).json(), {
          timeout: 120_000,
          interval: 50,
        })
        .toMatchObject({ status });

    const quick = await queue('/quick');
    expect((await jobs('list', '--status', 'queued')).jobs).toMatchObject([{ jobId: quick, kind: 'hello' }]);
    const { child: worker, printed: working } = await started(
      ['worker', '--allow-private', target.origin],
      withDatabase(),
    );
    expect(working).toMatchObject({ event: 'working', concurrency: 10 });
    await untilIs(quick, 'done');
    const { job, events } = await jobs('show', quick);
    expect(job).toMatchObject({ status: 'done', attempt: 1, progress: 100 });
    expect(events.at(-1)).toMatchObject({ type: 'status_changed', message: 'done' });

    const rm = (id: string) => sonde(['rm', 'job', id, '--server', printed.url, '--json'], { cwd });
    expect(JSON.parse((await rm(quick)).stdout)).toMatchObject({ job: quick, deleted: true });
    expect((await rm(quick)).stderr).toContain('JOB_NOT_FOUND');
    expect((await rm('quick')).stderr).toContain('does not name a job');

    const slow = await queue('/slow');
    await untilIs(slow, 'running');
    expect((await rm(slow)).stderr).toContain('STILL_RUNNING');
    await jobs('cancel', slow);
    await untilIs(slow, 'canceled');
    await jobs('retry', slow);
    await untilIs(slow, 'running');
    const unknown = await sonde(
      ['jobs', 'show', '00000000-0000-7000-8000-000000000000', '--server', printed.url],
      { cwd },
    );
    expect(unknown.code).not.toBe(0);

    // A stopped worker returns the jobs it cannot finish as if it had never claimed them.
    worker.kill('SIGTERM');
    expect((await finished(worker)).code).toBe(0);
    const [row] = await runSql(databaseUrl, 'SELECT status, attempt FROM audit_jobs WHERE job_id = $1', [
      slow,
    ]);
    expect(row).toEqual({ status: 'queued', attempt: 0 });
    server.kill('SIGTERM');
    await finished(server);
    await target.close();
  });
});
