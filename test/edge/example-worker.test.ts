/** examples/worker in workerd, bundled by wrangler as for a deployment. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Miniflare } from 'miniflare';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Listening, listenHttp } from '../support/listen.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sonde-example-worker-'));
let site: Listening;
let worker: Miniflare;

beforeAll(async () => {
  site = await listenHttp((_request, response) => response.end('hello'));
  const wrangler = join(ROOT, 'node_modules/wrangler/bin/wrangler.js');
  const config = join(ROOT, 'examples/worker/wrangler.jsonc');
  execFileSync(process.execPath, [wrangler, 'deploy', '--config', config, '--dry-run', '--outdir', folder], {
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, WRANGLER_SEND_METRICS: 'false' },
    stdio: 'pipe',
  });
  worker = new Miniflare({
    modules: [{ type: 'ESModule', path: 'worker.js', contents: readFileSync(join(folder, 'worker.js')) }],
    compatibilityDate: '2026-04-26',
    bindings: { SITE: site.origin, ALLOW_PRIVATE: site.origin },
    cf: false,
  });
});
afterAll(async () => {
  await worker?.dispose();
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

const ask = async (query: string) => (await worker.dispatchFetch(`http://worker/${query}`)).json();

test('probes the requested URL, and refuses a private one', async () => {
  const probed = await ask(`?url=${encodeURIComponent(site.origin)}`);
  expect(probed).toMatchObject({ result: { ok: true, response: { status: 200 } } });
  const refused = await ask('?url=http://169.254.169.254/');
  expect(refused).toMatchObject({ result: { ok: false, error: { code: 'ssrf_blocked' } } });
  expect((await worker.dispatchFetch('http://worker/')).status).toBe(400);
});

test('probes its site on schedule', async () => {
  const before = site.accepted();
  await (await worker.getWorker()).scheduled({ cron: '*/5 * * * *' });
  await expect.poll(() => site.accepted()).toBeGreaterThan(before);
});
