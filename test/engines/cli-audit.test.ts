/** `sonde audit`: the real program against a site on loopback. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { RULES } from '../../src/audits/index.js';
import { type Listening, listenHttp } from '../support/listen.js';
import { finished, folderWith, shareProcess, startSonde } from './cli-process.js';

const sonde = shareProcess();

let site: Listening;
let hold: (() => void) | undefined;
/** Whether pages link to the path that never responds. */
let linksToHold = false;
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
        ? `<!doctype html><html lang="en"><title>Page ${request.url} of a site</title><h1>x</h1><a href="/a">Page A</a><a href="/b">Page B</a>${linksToHold ? '<a href="/hold">Page H</a>' : ''}`
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
  test('prints the verdict, writes every format, and exits with 1 for findings', async () => {
    const cwd = folderWith();
    const forms = [
      '-r',
      'pretty,json=r.json,html=r.html,md=r.md,csv=r.csv,junit=r.xml,sarif=r.sarif,github=r.txt',
    ];
    const { code, stdout, stderr } = await sonde(audit(...forms, '--fail-on', 'warn'), { cwd });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^\d+ \/ 100, grade [A-F] {2}http:/);
    expect(stdout).toContain('▲ 3 pages have no meta description  desc.present, 3 pages checked');
    expect(stdout).toContain('Content-Security-Policy is missing');
    expect(stdout).toContain('sec.leaks  not checked; use --own-site');
    expect(stdout).toMatch(/Fixing .* would raise the score from \d+ to \d+\./);
    expect(stderr).toMatch(/^0 % /);
    expect(stderr).toContain('wrote r.json');
    const report = JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8'));
    expect(report).toMatchObject({ schemaVersion: 1, counts: { pages: 3 } });
    expect(report.rules).toHaveLength(RULES.length);
    expect(readFileSync(join(cwd, 'r.xml'), 'utf8')).toMatch(
      /<failure message="3 pages have no meta description" type="warn">/,
    );
    const [sarif] = JSON.parse(readFileSync(join(cwd, 'r.sarif'), 'utf8')).runs;
    expect(sarif.tool.driver.rules[0].helpUri).toMatch(/^https:.*\/docs\/audit-rules\//);
    expect(readFileSync(join(cwd, 'r.txt'), 'utf8')).toMatch(
      /^::warning title=3 pages have no meta description \(desc\.present\)::/m,
    );
    for (const name of ['r.html', 'r.md', 'r.csv']) expect(existsSync(join(cwd, name))).toBe(true);
  });

  test('limits pages, prints JSON, and exits with 0 if nothing fails', async () => {
    const { code, stdout, stderr } = await sonde(audit('--pages', '2', '--json', '--fail-on', 'never'));
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ counts: { pages: 2 }, crawl: { pagesMax: 2 } });
    expect((await sonde(audit('--json', '--fail-on', 'score:0'))).code).toBe(0);
    expect((await sonde(audit('--json', '--fail-on', 'score:100'))).code).toBe(1);
  });

  test('passes for a preview on loopback at the default --fail-on', async () => {
    const { code, stdout } = await sonde(audit('--rules', 'sec.https,http.*', '--json'));
    expect([
      code,
      JSON.parse(stdout).rules.find(({ id }: { id: string }) => id === 'sec.https').status,
    ]).toEqual([0, 'not-applicable']);
  });

  test('runs only the chosen rules, and hides ignored and accepted findings', async () => {
    const cwd = folderWith();
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await sonde(audit('--fail-on', 'warn', ...args), { cwd });
      return { code, stdout, stderr };
    };
    const chosen = ['--rules', 'desc.present,h1.*'];
    expect(await run(...chosen)).toMatchObject({ code: 1 });
    expect(await run(...chosen, '--ignore', 'desc.present')).toMatchObject({ code: 0 });
    const partly = await run(...chosen, '--ignore', 'desc.present@/a*');
    expect(partly).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('2 pages have no meta description'),
    });
    expect(partly.stdout).toContain('1 finding is hidden: 1 by --ignore.');
    const written = await run(...chosen, '--write-baseline', 'b.json');
    expect(written).toMatchObject({ code: 0 });
    expect(written.stderr).toMatch(/wrote b\.json: 1 finding accepted until \d{4}-\d\d-\d\d/);
    const accepted = await run(...chosen, '--baseline', 'b.json');
    expect(accepted).toMatchObject({ code: 0 });
    expect(accepted.stdout).toContain('3 findings are hidden: 3 by the baseline.');
    const baseline = JSON.parse(readFileSync(join(cwd, 'b.json'), 'utf8'));
    expect(baseline.findings).toEqual([
      { rule: 'desc.present', observed: 'no description', paths: ['/', '/a', '/b'] },
    ]);
    const edited = [{ rule: 'desc.present', observed: 'no description', paths: ['/', '/a', '/gone'] }];
    writeFileSync(join(cwd, 'b.json'), JSON.stringify({ ...baseline, findings: edited }));
    const other = await run(...chosen, '--baseline', 'b.json');
    expect(other).toMatchObject({ code: 1 });
    expect(other.stdout).toContain('1 page has no meta description');
    expect(other.stdout).toContain('desc.present on /gone: no description');
  });

  test('refuses wrong usage before it sends anything', async () => {
    const before = site.accepted();
    for (const args of [
      ['--pages', '0'],
      ['--pages', 'x'],
      ['-r', 'pdf'],
      ['-r', 'json,csv'],
      ['--fail-on', 'score:101'],
      ['-r', 'json=/no/such/folder/r.json'],
      ['--links', 'some'],
      ['--rules', 'no.such-rule'],
      ['--ignore', 'desc.present@'],
      ['--baseline', '/no/such/baseline.json'],
    ]) {
      expect((await sonde(audit(...args))).code, args.join(' ')).toBe(2);
    }
    expect(site.accepted()).toBe(before);
  });

  test('exits with 3 if the start URL does not respond, and with 2 if it is not allowed', async () => {
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

  test('leaves no file behind when stopped before the first page', async () => {
    const cwd = folderWith();
    const held = new Promise<void>((resolve) => {
      hold = resolve;
    });
    const start = ['audit', `${site.origin}/hold`, '--allow-private', site.origin];
    const child = startSonde([...start, '-r', 'json=r.json,html=r.html'], { cwd });
    const ended = finished(child);
    await held;
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    expect(readdirSync(cwd)).toEqual([]);
  });

  test('writes a partial report when stopped later, and says so', async () => {
    const cwd = folderWith();
    linksToHold = true;
    onTestFinished(() => {
      linksToHold = false;
    });
    const held = new Promise<void>((resolve) => {
      hold = resolve;
    });
    const child = startSonde(audit('-r', 'json=r.json,html=r.html'), { cwd });
    const ended = finished(child);
    await held;
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    const report = JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8'));
    expect(report).toMatchObject({ stopped: 'stopped by SIGINT', startUrl: `${site.origin}/` });
    expect(readFileSync(join(cwd, 'r.html'), 'utf8')).toContain('This report is partial');
  });
});
