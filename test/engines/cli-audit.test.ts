/** `sonde audit`, the real program against a site on loopback. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Listening, listenHttp } from '../support/listen.js';
import { finished, folderWith, sonde, startSonde } from './cli-process.js';

let site: Listening;
let hold: (() => void) | undefined;
beforeAll(async () => {
  site = await listenHttp((request, response) => {
    const known = ['/', '/a', '/b'].includes(request.url ?? '');
    if (request.url === '/hold') {
      hold?.();
      return;
    }
    response.writeHead(known ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
    response.end(
      known
        ? `<!doctype html><html lang="en"><title>Page ${request.url} of a site</title><h1>x</h1><a href="/a">Page A</a><a href="/b">Page B</a>`
        : '',
    );
  });
});
afterAll(() => site.close());

const audit = (...args: string[]) => [
  'audit',
  `${site.origin}/`,
  '--allow-private',
  site.origin,
  '--delay',
  '0',
  ...args,
];

describe('sonde audit', () => {
  test('prints the verdict, writes every form, and says by its exit code that there are findings', async () => {
    const cwd = folderWith();
    const forms = ['-r', 'pretty,json=r.json,html=r.html,md=r.md,csv=r.csv'];
    const { code, stdout, stderr } = await sonde(audit(...forms, '--fail-on', 'warn'), { cwd });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^\d+ \/ 100, grade [A-F] {2}http:/);
    expect(stdout).toContain('desc.present');
    expect(stderr).toMatch(/^0 % /);
    expect(stderr).toContain('wrote r.json');
    const report = JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8'));
    expect(report).toMatchObject({ schemaVersion: 1, counts: { pages: 3 } });
    expect(report.rules).toHaveLength(71);
    for (const name of ['r.html', 'r.md', 'r.csv']) expect(existsSync(join(cwd, name))).toBe(true);
  });

  test('bounds pages, answers in JSON, and ends with 0 where nothing was to fail on', async () => {
    const { code, stdout, stderr } = await sonde(audit('--pages', '2', '--json', '--fail-on', 'never'));
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ counts: { pages: 2 }, crawl: { pagesMax: 2 } });
    expect((await sonde(audit('--json', '--fail-on', 'score:0'))).code).toBe(0);
    expect((await sonde(audit('--json', '--fail-on', 'score:100'))).code).toBe(1);
  });

  test('refuses wrong usage before anything is sent', async () => {
    const before = site.accepted();
    for (const args of [
      ['--pages', '0'],
      ['--pages', 'x'],
      ['-r', 'pdf'],
      ['-r', 'json,csv'],
      ['--fail-on', 'score:101'],
      ['-r', 'json=/no/such/folder/r.json'],
    ]) {
      expect((await sonde(audit(...args))).code, args.join(' ')).toBe(2);
    }
    expect(site.accepted()).toBe(before);
  });

  test('ends with 3 where the start gives no answer, and with 2 for a URL that may not be asked', async () => {
    const dead = await sonde([
      'audit',
      'http://127.0.0.1:9/',
      '--allow-private',
      'http://127.0.0.1:9',
      '--json',
    ]);
    expect(dead.code).not.toBe(0);
    const refused = await sonde(['audit', `${site.origin}/`, '--json']);
    expect(JSON.parse(refused.stderr)).toMatchObject({ error: { code: 'ssrf_blocked' } });
  });

  test('stops at a signal', async () => {
    const held = new Promise<void>((resolve) => {
      hold = resolve;
    });
    const child = startSonde(['audit', `${site.origin}/hold`, '--allow-private', site.origin]);
    const ended = finished(child);
    await held;
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
  });
});
