/** examples/pair-object in workerd, bundled by wrangler as for a deployment. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Miniflare } from 'miniflare';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pairKeyOf } from '../../src/compare/index.js';
import { type Listening, listenHttp } from '../support/listen.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sonde-example-pair-'));
let sites: Listening[] = [];
let worker: Miniflare;

beforeAll(async () => {
  sites = await Promise.all(
    [500, 200].map((status) =>
      listenHttp((_request, response) =>
        response.writeHead(status, { 'content-type': 'text/plain' }).end('a'),
      ),
    ),
  );
  const wrangler = join(ROOT, 'node_modules/wrangler/bin/wrangler.js');
  const config = join(ROOT, 'examples/pair-object/wrangler.jsonc');
  execFileSync(process.execPath, [wrangler, 'deploy', '--config', config, '--dry-run', '--outdir', folder], {
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, WRANGLER_SEND_METRICS: 'false' },
    stdio: 'pipe',
  });
  const objects = ['HotBuffer', 'AuditLedger'].map((className) => [
    className,
    { className, useSQLite: true },
  ]);
  const workflow = (className: string) => ({ name: className, className });
  worker = new Miniflare({
    modules: [{ type: 'ESModule', path: 'worker.js', contents: readFileSync(join(folder, 'worker.js')) }],
    compatibilityDate: '2026-04-26',
    bindings: {
      SONDE_SECRET: 'a secret for tests only, 43 characters long',
      SONDE_ALLOW_PRIVATE: sites.map(({ origin }) => origin).join(','),
    },
    durableObjects: {
      ...Object.fromEntries(objects),
      ENVPAIR_DO: { className: 'EnvPairDO', useSQLite: true },
    },
    workflows: {
      COMPARE_WORKFLOW: workflow('CompareEnvironments'),
      AUDIT_WORKFLOW: workflow('AuditSite'),
    },
    cf: false,
  });
});
afterAll(async () => {
  await worker?.dispose();
  await Promise.all(sites.map((site) => site.close()));
  rmSync(folder, { recursive: true, force: true });
});

interface State {
  readonly status: string;
  readonly result?: { readonly diff: { readonly findings: readonly { readonly code: string }[] } };
}

test('a comparison that was created through the object is probed, compared and completed', async () => {
  const [leftUrl = '', rightUrl = ''] = sites.map(({ origin }) => `${origin}/`);
  const created = await worker.dispatchFetch('http://worker/api/compare', {
    method: 'POST',
    body: JSON.stringify({ leftUrl, rightUrl }),
  });
  expect(created.status).toBe(201);
  const { comparisonId } = (await created.json()) as { comparisonId: string };
  expect(comparisonId.split(':')[0]).toBe(pairKeyOf({ tenantId: 'default', leftUrl, rightUrl }));

  const state = async () =>
    (await (await worker.dispatchFetch(`http://worker/api/compare/${comparisonId}`)).json()) as State;
  await expect.poll(async () => (await state()).status, { timeout: 60_000 }).toBe('completed');
  expect((await state()).result?.diff.findings.map(({ code }) => code)).toContain('STATUS_MISMATCH');
});
