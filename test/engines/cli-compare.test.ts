/** `sonde compare`: the real program against the demo's two sites. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenDemo, openDemo } from '../../src/cli/demo/open-demo.js';
import { listenLocally } from '../../src/runtimes/node/listen-locally.js';
import { type Listening, listenHttp } from '../support/listen.js';
import { recordHar } from '../support/record-har.js';
import { folderWith, shareProcess } from './cli-process.js';

const sonde = shareProcess();

let sites: OpenDemo;
beforeAll(async () => {
  sites = await openDemo({ listenLocally });
});
afterAll(() => sites.close());

const opened = (...origins: readonly string[]) => origins.flatMap((origin) => ['--allow-private', origin]);
const compareDemo = (path: string, ...args: readonly string[]) =>
  sonde([
    'compare',
    `${sites.staging}${path}`,
    `${sites.production}${path}`,
    ...opened(sites.staging, sites.production),
    ...args,
  ]);

describe('two URLs', () => {
  test('that match exit with 0, despite noise', async () => {
    const { code, stdout } = await compareDemo('/health');
    expect(stdout).toMatch(/^✓ pass {2}(127\.0\.0\.1:\d+ matches 127|nothing on 127)/);
    expect(code).toBe(0);
  });

  test('that differ exit with 1, the finding first, values side by side', async () => {
    const { code, stdout } = await compareDemo('/api/products');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^✗ fail/);
    expect(stdout).toMatch(/number +│ string/);
  });

  test('with one unreachable side are a critical PROBE_FAILURE; with two they are inconclusive', async () => {
    const gone = await listenHttp(() => {});
    const dead = gone.origin;
    await gone.close();
    const one = await sonde([
      'compare',
      dead,
      sites.production,
      ...opened(dead, sites.production),
      '--samples',
      '1',
    ]);
    expect([one.code, one.stdout]).toEqual([3, expect.stringContaining('PROBE_FAILURE')]);
    expect(one.stdout).toMatch(/^✗ fail {2}\S+ cannot be reached/);
    const both = await sonde(['compare', dead, `${dead}/x`, ...opened(dead), '--samples', '1']);
    expect([both.code, both.stdout]).toEqual([3, expect.stringMatching(/^\? inconclusive/)]);
  });

  test('write every report at once, and print one', async () => {
    const folder = folderWith();
    const files = { json: 'r.json', junit: 'r.xml', sarif: 'r.sarif', md: 'r.md', html: 'r.html' };
    const list = Object.entries(files).map(([name, file]) => `${name}=${join(folder, file)}`);
    const { code, stdout } = await compareDemo(
      '/',
      '-r',
      ['pretty', ...list].join(','),
      '--label-left',
      'st',
      '--label-right',
      'pr',
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(/candidate {2}st {2}http\S+\nreference {2}pr {2}http/);
    for (const file of Object.values(files))
      expect(readFileSync(join(folder, file), 'utf8').length).toBeGreaterThan(500);
  });

  test('with --json print only the machine-readable report', async () => {
    const { stdout, stderr } = await compareDemo('/api/products', '--json');
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({ schemaVersion: 1, verdict: 'fail' });
  });

  test('send headers to one side only and never show them', async () => {
    const seen: Record<string, (string | undefined)[]> = { left: [], right: [] };
    const site = (side: string) =>
      listenHttp((request, response) => {
        seen[side]?.push(request.headers.authorization);
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ got: request.headers }));
      });
    const [left, right] = [await site('left'), await site('right')];
    try {
      const { stdout } = await sonde([
        'compare',
        left.origin,
        right.origin,
        ...opened(left.origin, right.origin),
        '--header-left',
        'Authorization: Bearer canary-5150aa77',
        '--json',
      ]);
      expect(seen['left']).toContain('Bearer canary-5150aa77');
      expect(seen['right']?.every((value) => value === undefined)).toBe(true);
      expect(stdout).not.toContain('canary-5150aa77');
    } finally {
      await left.close();
      await right.close();
    }
  });

  test('skip what --ignore names', async () => {
    const { code, stdout } = await compareDemo('/account', '--ignore', '*:*@/account');
    expect([code, stdout]).toEqual([0, expect.stringContaining('suppressed')]);
  });

  test('fail on warnings with --fail-on warn', async () => {
    const site = (headers: Record<string, string>) =>
      listenHttp((_request, response) => void response.writeHead(200, headers).end('same'));
    const [left, right] = [await site({}), await site({ vary: 'Accept-Encoding' })];
    const run = (...args: readonly string[]) =>
      sonde(['compare', left.origin, right.origin, ...opened(left.origin, right.origin), ...args]);
    try {
      expect((await run()).code).toBe(0);
      expect((await run('--fail-on', 'warn')).code).toBe(1);
      expect((await run('--fail-on', 'warn', '--ignore', 'VARY_*')).code).toBe(0);
      expect((await run('--fail-on', 'warn', '--candidate', 'right')).code).toBe(0);
    } finally {
      await left.close();
      await right.close();
    }
  });
});

describe('a baseline', () => {
  test('accepts the current findings until it expires', async () => {
    const folder = folderWith();
    const file = join(folder, 'baseline.json');
    const first = await compareDemo('/account', '--write-baseline', file);
    expect([first.code, first.stderr]).toEqual([
      0,
      expect.stringMatching(/wrote \S+baseline\.json: accepts \d+ finding/),
    ]);
    const accepted = await compareDemo('/account', '--baseline', file);
    expect([accepted.code, accepted.stdout]).toEqual([
      0,
      expect.stringMatching(/The baseline \S+ hides \d+ finding/),
    ]);
    const baseline = JSON.parse(readFileSync(file, 'utf8'));
    for (const entry of baseline.entries) entry.expires = '2020-01-01';
    writeFileSync(file, JSON.stringify(baseline));
    const over = await compareDemo('/account', '--baseline', file);
    expect([over.code, over.stdout]).toEqual([1, expect.stringMatching(/counts? again/)]);
  });

  test('with an unknown version is refused, naming the file', async () => {
    const folder = folderWith({ 'b.json': '{"version":3}' });
    const { code, stderr } = await compareDemo('/account', '--baseline', join(folder, 'b.json'));
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('b.json: the baseline is not valid at version'),
    ]);
  });
});

describe('saved envelopes', () => {
  test('are compared again without a request', async () => {
    const folder = folderWith();
    const { stdout } = await compareDemo('/old-shop', '--json');
    const [{ left, right }] = JSON.parse(stdout).comparisons;
    writeFileSync(join(folder, 'left.json'), JSON.stringify(left));
    writeFileSync(join(folder, 'right.json'), JSON.stringify([right]));
    const again = await sonde(['compare', '--from', join(folder, 'left.json'), join(folder, 'right.json')]);
    expect(again.code).toBe(1);
    expect(again.stdout).toContain('REDIRECT_CHAIN_CHANGED');
    expect(again.stdout).toMatch(/302 → \S+ +│ 301 → /);
  });

  test('that are malformed are refused with the field', async () => {
    const folder = folderWith({ 'a.json': '{"schemaVersion":1}', 'b.json': '{' });
    const file = (name: string) => join(folder, name);
    const wrong = await sonde(['compare', '--from', file('a.json'), file('a.json')]);
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringMatching(/a\.json is not an envelope .*comparisonId/),
    ]);
    const cut = await sonde(['compare', '--from', file('b.json'), file('a.json')]);
    expect([cut.code, cut.stderr]).toEqual([2, expect.stringContaining('b.json:1:2 is not valid JSON')]);
  });
});

describe('a suite', () => {
  const suite = (...args: readonly string[]) =>
    sonde([
      'compare',
      sites.staging,
      sites.production,
      ...opened(sites.staging, sites.production),
      '--samples',
      '1',
      ...args,
    ]);

  test('reads its paths from a list, and reports progress', async () => {
    const folder = folderWith({ 'paths.txt': '/health\n/account # the gate\n/old-shop\n' });
    const { code, stdout, stderr } = await suite('--paths', join(folder, 'paths.txt'));
    expect(code).toBe(1);
    expect(stdout).toContain('on 3 paths');
    expect(stderr).toMatch(/3 of 3 paths compared\n$/);
  });

  test('reads them from an OpenAPI document, and refuses one that refers elsewhere', async () => {
    const paths = { '/health': { get: {} }, '/orders/{id}': { get: {} } };
    const folder = folderWith({
      'api.json': JSON.stringify({ openapi: '3.1.0', paths }),
      'bad.yaml': 'openapi: 3.1.0\npaths:\n  /a: { $ref: "http://169.254.169.254/x" }\n',
    });
    const fine = await suite('--openapi', join(folder, 'api.json'));
    expect([fine.code, fine.stdout]).toEqual([
      0,
      expect.stringContaining('/orders/{id} has no example for id'),
    ]);
    const bad = await suite('--openapi', join(folder, 'bad.yaml'));
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('which is outside the document')]);
  });

  test('reads them from two recordings, and reports what only one has', async () => {
    const urls = (origin: string, ...paths: readonly string[]) => paths.map((path) => `${origin}${path}`);
    const folder = folderWith({
      'left.har': await recordHar(urls(sites.staging, '/', '/health')),
      'right.har': await recordHar(urls(sites.production, '/', '/health', '/api/products')),
    });
    const { code, stdout } = await sonde([
      'compare',
      '--har',
      join(folder, 'left.har'),
      join(folder, 'right.har'),
    ]);
    expect(code).toBe(1);
    expect(stdout).toContain('ROUTE_SET_DRIFT');
    expect(stdout).toContain('/api/products');
    expect(stdout).toContain('CROSS_ENV_LEAK');
  });

  test('reads them from both sitemaps, with an index and gzip, and keeps to its limit per host', async () => {
    let [open, most] = [0, 0];
    const site = (paths: readonly string[]): Promise<Listening> =>
      listenHttp((request, response) => {
        const base = `http://${request.headers.host}`;
        if (request.url === '/sitemap.xml') {
          return response.end(
            `<sitemapindex><sitemap><loc>${base}/pages.xml.gz</loc></sitemap></sitemapindex>`,
          );
        }
        if (request.url === '/pages.xml.gz') {
          const urls = paths.map((path) => `<url><loc>${base}${path}</loc></url>`);
          return response.end(gzipSync(`<urlset>${urls.join('')}</urlset>`));
        }
        open += 1;
        most = Math.max(most, open);
        return setImmediate(() => {
          open -= 1;
          response.writeHead(200, { 'content-type': 'text/plain' }).end('same');
        });
      });
    const [left, right] = [await site(['/a', '/b', '/c', '/new']), await site(['/a', '/b', '/c'])];
    try {
      const { code, stdout } = await sonde([
        'compare',
        left.origin,
        right.origin,
        ...opened(left.origin, right.origin),
        ...[
          '--sitemap',
          '/sitemap.xml',
          '--samples',
          '2',
          '--profile',
          'core',
          '--per-host',
          '1',
          '--concurrency',
          '8',
        ],
      ]);
      expect(code).toBe(0);
      expect(stdout).toContain('ROUTE_SET_DRIFT');
      expect(stdout).toContain('on 3 paths');
      expect(most).toBeLessThanOrEqual(2);
    } finally {
      await left.close();
      await right.close();
    }
  });
});

describe('wrong usage is one line and exit code 2', () => {
  test.each([
    [['compare']],
    [['compare', 'https://a.example/']],
    [['compare', 'https://a.example/', 'http://127.0.0.1/']],
    [['compare', 'https://a.example/', 'https://b.example/', '-r', 'pdf']],
    [['compare', 'https://a.example/', 'https://b.example/', '--samples', '0']],
    [['compare', 'https://a.example/', 'https://b.example/', '--fail-on', 'info']],
    [['compare', 'https://a.example/', 'https://b.example/', '--ignore', 'NO_SUCH_CODE']],
    [['compare', 'https://a.example/', 'https://b.example/', '--paths', 'absent.txt']],
    [['compare', 'https://a.example/', 'https://b.example/', '--paths', 'a', '--sitemap', '/s.xml']],
    [['compare', '--from', 'one.json']],
    [['compare', '--har', 'one.har']],
  ])('%j', async (args) => {
    const { code, stdout, stderr } = await sonde(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^error: [^\n]+\n/);
  });
});

test('sonde demo shows planted drift offline and writes the page', async () => {
  const folder = folderWith();
  const { code, stdout, stderr } = await sonde(['demo', '--html', join(folder, 'demo.html')]);
  expect(code).toBe(0);
  for (const finding of [
    'CROSS_ENV_LEAK',
    'JSON_SHAPE_DRIFT',
    'AUTH_GATE_DRIFT',
    'REDIRECT_CHAIN_CHANGED',
    'CACHE_SCOPE_DRIFT',
    'CORS_HEADER_DRIFT',
    'COOKIE_FLAGS_DRIFT',
  ]) {
    expect(stdout).toContain(finding);
  }
  expect(stderr).toContain('production  http://127.0.0.1:');
  expect(readFileSync(join(folder, 'demo.html'), 'utf8')).toContain('<!doctype html>');
});
