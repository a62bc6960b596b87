/** `--server`: audits and comparisons run as durable jobs of a server, and the client prints their reports. */
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDemo } from '../../src/cli/demo/open-demo.js';
import { listenLocally } from '../../src/runtimes/node/listen-locally.js';
import { serveForTest } from '../support/serve.js';
import { folderWith, shareProcess } from './cli-process.js';

const sonde = shareProcess();

/** The server runs in this process, because only the commands are under test. */
async function withServer(
  work: (at: { cwd: string; url: string; staging: string; production: string }) => Promise<void>,
) {
  const sites = await openDemo({ listenLocally });
  try {
    const cwd = folderWith({ 'paths.txt': '/account\n/health\n' });
    const { url, stop } = await serveForTest({
      dataDir: join(cwd, 'sonde-data'),
      auth: 'jwt',
      net: { allowPrivate: [sites.staging, sites.production] },
    });
    onTestFinished(stop);
    await work({ cwd, url, staging: sites.staging, production: sites.production });
  } finally {
    await sites.close();
  }
}

test('an audit runs on the server, and its job and result stay there', async () => {
  await withServer(async ({ cwd, url, staging }) => {
    const args = ['audit', staging, '--pages', '1', '--fail-on', 'never', '--server', url];
    const { code, stdout, stderr } = await sonde(args, { cwd });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^\d+ \/ 100, grade/)]);
    expect(stderr).toMatch(/^audit [0-9a-f-]{36} at /);
    const { jobs } = JSON.parse((await sonde(['jobs', 'list', '--json', '--server', url], { cwd })).stdout);
    expect(jobs).toMatchObject([{ kind: 'audit', status: 'done' }]);
    const shown = await sonde(['jobs', 'show', jobs[0].jobId, '--json', '--server', url], { cwd });
    expect(JSON.parse(shown.stdout).job.result).toMatchObject({ score: expect.any(Number) });
  });
}, 300_000);

test('a comparison and a suite run on the server', async () => {
  await withServer(async ({ cwd, url, staging, production }) => {
    const on = ['--samples', '1', '--server', url];
    const one = await sonde(['compare', `${staging}/account`, `${production}/account`, ...on], { cwd });
    expect([one.code, one.stdout]).toEqual([1, expect.stringContaining('AUTH_GATE_DRIFT')]);
    const suite = await sonde(['compare', staging, production, '--paths', 'paths.txt', '--json', ...on], {
      cwd,
    });
    expect(suite.code).toBe(1);
    expect(JSON.parse(suite.stdout).comparisons.map(({ name }: { name: string }) => name)).toEqual([
      '/account',
      '/health',
    ]);
  });
}, 300_000);
