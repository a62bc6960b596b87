/**
 * A suite of fifty paths as a user runs it: what fits on a screen, what a baseline accepts, what Ctrl-C leaves behind.
 */
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Listening, listenHttp } from '../support/listen.js';
import { finished, folderWith, PROGRAM, shareProcess } from './cli-process.js';

const sonde = shareProcess();

const PATHS = Array.from({ length: 50 }, (_, n) => `/p/${n + 1}`);
const failing = new Set(['/p/17']);
let staging: Listening;
let production: Listening;

const PAGE = (path: string) =>
  `<!doctype html><html lang="en"><head><title>${path}</title></head><body><main><h1>${path}</h1></main></body></html>`;

/** Six differences on every path, and one 500. */
function respond(side: 'staging' | 'production') {
  const headers =
    side === 'production'
      ? {
          'x-content-type-options': 'nosniff',
          'x-frame-options': 'DENY',
          'referrer-policy': 'no-referrer',
          vary: 'Accept-Encoding',
          'cache-control': 'public, max-age=600',
          etag: '"1"',
        }
      : {};
  return (request: IncomingMessage, response: ServerResponse): void => {
    const path = request.url ?? '/';
    if (path === '/robots.txt') return void response.writeHead(404).end();
    if (side === 'staging' && failing.has(path)) return void response.writeHead(500).end('error');
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(PAGE(path));
  };
}

beforeAll(async () => {
  staging = await listenHttp(respond('staging'));
  production = await listenHttp(respond('production'));
});
afterAll(async () => {
  await staging.close();
  await production.close();
});

const args = (paths: string, ...more: readonly string[]) => [
  ...['compare', staging.origin, production.origin, '--paths', paths, '--samples', '1'],
  ...['--label-left', 'staging', '--label-right', 'production'],
  ...['--allow-private', staging.origin, '--allow-private', production.origin, ...more],
];
const listOf = (paths: readonly string[]) => join(folderWith({ 'paths.txt': paths.join('\n') }), 'paths.txt');

describe('fifty paths with six systematic differences and one 500', () => {
  test('fit on one screen, the 500 first', async () => {
    const { code, stdout } = await sonde(args(listOf(PATHS)));
    const lines = stdout.trimEnd().split('\n');
    expect(code).toBe(1);
    expect(lines.length).toBeLessThanOrEqual(26);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100);
    expect(lines[4]).toMatch(/^✗ critical STATUS_MISMATCH {2}on 1 of 50 paths: \/p\/17$/);
    expect(stdout).toMatch(/SECURITY_HEADER_MISSING {2}on 49 of 50 paths/);
    expect(stdout).toContain('0 of 50 paths pass');
  });

  test('pass with production as the candidate', async () => {
    const { code, stdout } = await sonde(
      args(listOf(PATHS.slice(0, 3)), '--candidate', 'right', '--fail-on', 'warn'),
    );
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^✓ pass {2}nothing on production is worse/)]);
  });
});

test('a baseline accepts one path without its siblings, and reports what it hides and what is gone', async () => {
  const file = join(folderWith(), 'baseline.json');
  const first = await sonde(args(listOf(['/p/17', '/p/1']), '--write-baseline', file));
  expect([first.code, first.stderr]).toEqual([
    0,
    expect.stringMatching(/accepts \d+ findings on 2 paths until/),
  ]);
  const known = await sonde(args(listOf(['/p/17', '/p/1']), '--baseline', file, '--fail-on', 'warn'));
  expect([known.code, known.stdout]).toEqual([0, expect.stringMatching(/hides \d+ findings on 2 paths/)]);
  failing.add('/p/1');
  try {
    const worse = await sonde(args(listOf(['/p/1']), '--baseline', file));
    expect([worse.code, worse.stdout]).toEqual([1, expect.stringContaining('STATUS_MISMATCH')]);
    const route = await sonde(args(listOf(['/p/1']), '--baseline', file, '--baseline-by', 'route'));
    expect(route.code).toBe(0);
  } finally {
    failing.delete('/p/1');
  }
  failing.delete('/p/17');
  try {
    const fixed = await sonde(args(listOf(['/p/17']), '--baseline', file));
    expect(fixed.stdout).toMatch(/of its entries no longer occur:\n {2}STATUS_MISMATCH on \/p\/17/);
  } finally {
    failing.add('/p/17');
  }
});

test('Ctrl-C leaves a report of the compared paths that says it is partial', async () => {
  const reached = new EventEmitter();
  const ready = once(reached, 'slow');
  const stuck = await listenHttp((request, response) => {
    // The first path gets a response, the second never does.
    if (request.url === '/slow') {
      reached.emit('slow');
      return;
    }
    respond('staging')(request, response);
  });
  const folder = folderWith({ 'paths.txt': '/p/1\n/slow\n' });
  const file = join(folder, 'report.json');
  const child = spawn(process.execPath, [
    PROGRAM,
    ...['compare', stuck.origin, production.origin, '--paths', join(folder, 'paths.txt'), '--samples', '1'],
    ...[
      '--allow-private',
      `${stuck.origin},${production.origin}`,
      '--concurrency',
      '1',
      '-r',
      `json=${file}`,
    ],
  ]);
  const end = finished(child);
  try {
    await ready;
    child.kill('SIGINT');
    const { code, stderr } = await end;
    expect([code, stderr]).toEqual([130, expect.stringContaining('stopped after 1 of 2 paths')]);
    expect(existsSync(file)).toBe(true);
    const report = JSON.parse(readFileSync(file, 'utf8'));
    expect(report).toMatchObject({ interruptedOf: 2, comparisons: [{ name: '/p/1' }] });
    expect(report.summary.sentence).toMatch(/^partial: stopped after 1 of 2 paths/);
  } finally {
    child.kill('SIGKILL');
    await stuck.close();
  }
});
