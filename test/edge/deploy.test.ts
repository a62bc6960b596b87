/** What a fresh clone does on its own: `wrangler deploy` builds the Worker, and npm's `prepare` the command line. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { VERSION } from '../../src/version.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The part of a clone that builds read. The dashboard is already built, because its build takes most of the time. */
const CLONED = [
  ...['dashboard', 'migrations', 'package.json', 'scripts', 'src', 'wrangler.jsonc'],
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

const node = (...args: readonly string[]): string =>
  execFileSync(process.execPath, args, {
    cwd: clone,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', HOME: clone, WRANGLER_SEND_METRICS: 'false', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

test('a dry-run deployment builds and lists the bindings', () => {
  const shown = node('node_modules/wrangler/bin/wrangler.js', 'deploy', '--env', 'production', '--dry-run');
  expect(existsSync(join(clone, 'dist/edge/worker/worker.js'))).toBe(true);
  const bindings = ['HotBuffer', 'AuditLedger', 'ENVPAIR_DO', 'COMPARE_WORKFLOW', 'AUDIT_WORKFLOW'];
  for (const name of [...bindings, 'COLD_SEGMENTS', 'DELETIONS', 'ASSETS', 'AI'])
    expect(shown).toContain(name);
});

test('the prepare script of npm makes the command line work', () => {
  expect(existsSync(join(clone, 'dist/sonde.js'))).toBe(false);
  node('scripts/prepare.mjs');
  expect(node('dist/sonde.js', '--version')).toBe(`${VERSION}\n`);
});
