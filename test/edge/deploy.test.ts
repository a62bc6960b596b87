/** What a fresh clone does on its own: `wrangler deploy` builds the Worker, and npm's `prepare` the command line. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseConfigFileTextToJson } from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { VERSION } from '../../src/version.js';
import { findWranglers } from '../support/find-wrangler.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The part of a clone that builds read. The dashboard is already built, because its build takes most of the time. */
const CLONED = [
  ...['dashboard', 'migrations', 'package.json', 'packages', 'scripts', 'src', 'wrangler.jsonc'],
  ...['tsconfig.base.json', 'tsconfig.core.json', 'tsconfig.json'],
  ...['dist/dashboard', 'dist/.dashboard-built'],
];
const clone = mkdtempSync(join(tmpdir(), 'sonde-clone-'));

beforeAll(() => {
  for (const name of CLONED)
    cpSync(join(ROOT, name), join(clone, name), { recursive: true, preserveTimestamps: true });
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
});
afterAll(() => rmSync(clone, { recursive: true, force: true }));

const run = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, {
    cwd: clone,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', HOME: clone, WRANGLER_SEND_METRICS: 'false', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
const node = (...args: readonly string[]): string => run(process.execPath, ...args);

test.each(findWranglers())('`wrangler deploy` without options deploys production ($name)', (wrangler) => {
  rmSync(join(clone, 'dist/edge'), { recursive: true, force: true });
  const shown = run(wrangler.node, wrangler.script, 'deploy', '--dry-run');
  expect(existsSync(join(clone, 'dist/edge/worker/worker.js'))).toBe(true);
  const bindings = ['HotBuffer', 'AuditLedger', 'ENVPAIR_DO', 'COMPARE_WORKFLOW', 'AUDIT_WORKFLOW'];
  for (const name of [...bindings, 'COLD_SEGMENTS', 'DELETIONS', 'ASSETS', 'AI'])
    expect(shown).toContain(name);
});

test('deployments keep busy objects for an hour, and no second environment has the name of the first', () => {
  const file = join(ROOT, 'wrangler.jsonc');
  const { config } = parseConfigFileTextToJson(file, readFileSync(file, 'utf8'));
  expect(config).toMatchObject({
    name: 'sonde',
    compatibility_flags: expect.arrayContaining(['durable_object_io_tasks_prevent_eviction']),
    durable_objects: { code_update_strategy: { mode: 'deferred', max_delay: 3600 } },
  });
  expect(config).not.toHaveProperty('env');
});

test('the prepare script of npm makes the command line work', () => {
  expect(existsSync(join(clone, 'dist/sonde.js'))).toBe(false);
  node('scripts/prepare.mjs');
  expect(node('dist/sonde.js', '--version')).toBe(`${VERSION}\n`);
});
