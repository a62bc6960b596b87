/**
 * Servers are killed at random while comparisons and suites are created, canceled and run. At no moment is there a
 * running row without a job, a job without its row, or an explanation that nobody will finish.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type BuiltServer, startBuiltServer } from '../support/built-server.js';
import { type Listening, listenHttp } from '../support/listen.js';
import { newDatabase, runSql } from '../support/postgres-database.js';
import { createRandom } from '../support/random.js';
import { sqliteTables } from '../support/sqlite-process.js';

const KILLS = 6;
const BUSY_MS = 150;
const CLIENTS = 4;

let site: Listening;
beforeAll(async () => {
  site = await listenHttp((request, response) => {
    const page = '<!doctype html><html lang=en><title>A page</title><h1>A</h1>';
    const ms = request.url?.includes('slow') ? 60 : 0;
    setTimeout(() => response.writeHead(200, { 'content-type': 'text/html' }).end(page), ms);
  });
});
afterAll(() => site.close());

type Row = Readonly<Record<string, unknown>>;
type Tables = Readonly<Record<'audit_jobs' | 'comparisons' | 'suites' | 'explanations', readonly Row[]>>;

/** The rows that break the rule. */
function lost({ audit_jobs: jobs, comparisons, suites, explanations }: Tables): readonly Row[] {
  const open = new Set(
    jobs.filter(({ status }) => status === 'queued' || status === 'running').map(({ job_id }) => job_id),
  );
  const pending = new Set(
    explanations.filter(({ state }) => state === 'pending').map(({ comparison_id }) => comparison_id),
  );
  const rowOf = new Set([...comparisons.map(({ job_id }) => job_id), ...suites.map(({ id }) => id)]);
  return [
    ...comparisons.filter(
      ({ id, status, job_id }) => (status === 'running' || pending.has(id)) && !open.has(job_id),
    ),
    ...suites.filter(({ id, status }) => status === 'running' && !open.has(id)),
    ...jobs.filter(({ job_id }) => !rowOf.has(job_id)),
  ];
}

const engines = {
  sqlite: async (folder: string) => ({
    env: {},
    read: async () => sqliteTables(join(folder, 'records.db')) as unknown as Tables,
  }),
  postgres: async () => {
    const url = await newDatabase();
    // One snapshot, so that a job that ends meanwhile is no fault.
    const tables = ['audit_jobs', 'comparisons', 'suites', 'explanations'].map(
      (name) => `'${name}', (SELECT coalesce(json_agg(t), '[]') FROM ${name} t)`,
    );
    return {
      env: { DATABASE_URL: url },
      read: async () =>
        (await runSql(url, `SELECT json_build_object(${tables.join(', ')}) AS all`))[0]?.['all'] as Tables,
    };
  },
};

test.each(Object.entries(engines))(
  'no run is lost on %s',
  async (name, open) => {
    const random = createRandom(20_260);
    const folder = mkdtempSync(join(tmpdir(), 'sonde-killed-runs-'));
    const { env, read } = await open(folder);
    const running: BuiltServer[] = [];
    onTestFinished(async () => {
      for (const server of running) await server.kill();
      rmSync(folder, { recursive: true, force: true });
    });
    const start = async () => {
      const args = ['--allow-private', site.origin, '--job-lease-ms', '1s'];
      const server = await startBuiltServer({ folder, args, env });
      running.push(server);
      return server;
    };
    const ask = async (
      server: BuiltServer,
      path: string,
      body: object = {},
    ): Promise<Record<string, string>> => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(server.url + path, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      return response.ok ? ((await response.json()) as Record<string, string>) : {};
    };
    let created = 0;
    /** Creates runs and cancels some until the server is gone. */
    const load = async (server: BuiltServer) => {
      for (let n = 0; server.isRunning(); n++) {
        const path = random.pick(['slow', 'fast']);
        const sides = {
          leftUrl: `${site.origin}/${path}${n}`,
          rightUrl: `${site.origin}/`,
          samples: 1,
          profile: 'core',
        };
        const isSuite = random.next() < 0.4;
        const { comparisonId, suiteId } = isSuite
          ? await ask(server, '/api/suites', { ...sides, explain: true, paths: ['/a', '/slow', '/b'] })
          : await ask(server, '/api/compare', sides);
        if (comparisonId ?? suiteId) created++;
        if (random.next() < 0.5) continue;
        await ask(
          server,
          comparisonId ? `/api/compare/${comparisonId}/cancel` : `/api/suites/${suiteId}/cancel`,
        );
      }
    };
    for (let kill = 0; kill < KILLS; kill++) {
      const server = await start();
      // A killed server refuses its clients.
      const clients = Array.from({ length: CLIENTS }, () => load(server).catch(() => undefined));
      await new Promise((resolve) => setTimeout(resolve, random.whole(10, BUSY_MS)));
      if (name === 'postgres') expect(lost(await read())).toEqual([]);
      await server.kill();
      await Promise.all(clients);
      expect(lost(await read())).toEqual([]);
    }
    expect(created).toBeGreaterThan(KILLS);
    const last = await start();
    await expect
      .poll(async () => (await (await fetch(`${last.url}/api/jobs?limit=1&status=queued`)).json()).jobs, {
        timeout: 60_000,
      })
      .toEqual([]);
    expect(await last.stop()).toBe(0);
    expect(lost(await read())).toEqual([]);
  },
  180_000,
);
