/** Hostile text in every field of a target or a server, and every output of the program and the API that shows it. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readEnvelope } from '../../src/probe/index.js';
import { demoReport } from '../support/demo-report.js';
import { expectHarmless, HOSTILE, HOSTILE_PATHS, hostileSite, spoil } from '../support/hostile-text.js';
import { type Listening, listenHttp } from '../support/listen.js';
import { sampleReport } from '../support/sample-report.js';
import { serveForTest } from '../support/serve.js';
import { type Finished, folderWith, PROGRAM, shareProcess } from './cli-process.js';

const sonde = shareProcess();
const CI = { GITHUB_ACTIONS: 'true', CI: 'true' };

let left: Listening;
let right: Listening;
beforeAll(async () => {
  [left, right] = [await hostileSite('left'), await hostileSite('right')];
});
afterAll(async () => {
  await left.close();
  await right.close();
});

const opened = () => ['--allow-private', left.origin, '--allow-private', right.origin];
/** Every reporter in its own file, and the one for people on stdout. */
const COMPARE = 'pretty,json=r.json,junit=r.xml,sarif=r.sarif,md=r.md,html=r.html,github=r.github';
const AUDIT = `${COMPARE},csv=r.csv`;
/** In these, a line of a cell or of preformatted text may begin with anything. */
const QUOTING: ReadonlySet<string> = new Set(['r.csv', 'r.html', 'r.xml']);

function expectAllHarmless(what: string, { stdout, stderr }: Finished, cwd: string): void {
  expectHarmless(`${what}: stdout`, stdout, { colours: true });
  expectHarmless(`${what}: stderr`, stderr, { colours: true });
  for (const name of readdirSync(cwd).filter((each) => each.startsWith('r.')))
    expectHarmless(`${what}: ${name}`, readFileSync(join(cwd, name), 'utf8'), { lines: QUOTING.has(name) });
}

/** Runs it without colours, with colours and as JSON. */
async function expectHarmlessRun(
  args: readonly string[],
  files: Readonly<Record<string, string>> = {},
): Promise<string> {
  let shown = '';
  for (const variant of [{ env: CI }, { env: { FORCE_COLOR: '1' } }, { env: CI, json: true }]) {
    const cwd = folderWith(files);
    const result = await sonde([...args, ...('json' in variant ? ['--json'] : [])], {
      cwd,
      env: variant.env,
    });
    expect([args, result.stderr.includes('INTERNAL')]).toEqual([args, false]);
    expectAllHarmless(args.join(' '), result, cwd);
    shown += result.stdout + result.stderr;
    for (const name of readdirSync(cwd).filter((each) => each.startsWith('r.')))
      shown += readFileSync(join(cwd, name), 'utf8');
  }
  return shown;
}

describe('a hostile site', () => {
  test.each(HOSTILE_PATHS)('sonde probe of %s', async (path) => {
    await expectHarmlessRun(['probe', `${left.origin}${path}`, ...opened()]);
  });

  test.each(HOSTILE_PATHS)('sonde compare of %s', async (path) => {
    const urls = [`${left.origin}${path}`, `${right.origin}${path}`];
    await expectHarmlessRun(['compare', ...urls, ...opened(), '--samples', '1', '--all', '-r', COMPARE]);
  });

  test('sonde compare of a suite, by a list and by a sitemap', async () => {
    const paths = { 'paths.txt': HOSTILE_PATHS.join('\n') };
    for (const source of [
      ['--paths', 'paths.txt'],
      ['--sitemap', '/sitemap.xml'],
    ]) {
      const args = [
        'compare',
        left.origin,
        right.origin,
        ...opened(),
        ...source,
        '--samples',
        '1',
        '-r',
        COMPARE,
      ];
      expect(await expectHarmlessRun(args, paths)).toContain('JSON_');
    }
  });

  test('sonde audit, and no rule fails to run', async () => {
    const args = [
      'audit',
      left.origin,
      '--allow-private',
      left.origin,
      '--delay',
      '0',
      '--own-site',
      '-r',
      AUDIT,
    ];
    const shown = await expectHarmlessRun(args);
    expect(shown).toContain('HOST\\u001b]0;title\\u0007');
    expect(shown).not.toContain('Rules that failed to run');
  });

  test('reports that the API renders', async () => {
    const server = await serveForTest({ net: { allowPrivate: [left.origin] } });
    try {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ url: left.origin, delayMs: 0 });
      const created = await fetch(`${server.url}/api/audits`, { method: 'POST', headers, body });
      const { auditId } = (await created.json()) as { auditId: string };
      const get = (path: string) => fetch(`${server.url}/api/audits/${auditId}${path}`);
      const status = async () => ((await (await get('')).json()) as { status: string }).status;
      await expect.poll(status, { timeout: 60_000 }).toBe('done');
      for (const format of ['md', 'csv', 'html']) {
        const text = await (await get(`/report?format=${format}`)).text();
        expectHarmless(format, text, { lines: format !== 'md' });
        expect(text).toContain('HOST\\u001b]0;title\\u0007');
      }
    } finally {
      await server.stop();
    }
  });
});

test('every text of an envelope, read from files', async () => {
  const { pairs } = await demoReport(['/account']);
  const envelopes = pairs.flatMap((pair) => [pair.left, pair.right]);
  const valid = (value: unknown) => {
    try {
      readEnvelope(value, 'test');
      return true;
    } catch {
      return false;
    }
  };
  const certificate = { subject: 'CN=a', issuer: 'CN=b', validFrom: '2026-01-01', validTo: '2027-01-01' };
  const [a, b] = envelopes.map((each, at) => {
    const named = { ...each, certificate: { ...certificate, subject: `CN=${at}` } };
    return JSON.stringify(spoil(valid(named) ? named : each, valid));
  });
  const files = { 'a.json': a ?? '', 'b.json': b ?? '' };
  expect(a).toContain('u001b');
  const shown = await expectHarmlessRun(
    ['compare', '--from', 'a.json', 'b.json', '--all', '-r', COMPARE],
    files,
  );
  expect(shown).toContain('HOST\\u001b');
});

describe('a hostile server', () => {
  let server: Listening;
  let diff: unknown;
  beforeAll(async () => {
    const { pairs } = await demoReport(['/account']);
    const [pair] = pairs;
    const { verdict, candidate } = pair?.diff ?? {};
    diff = { ...spoil(pair?.diff), verdict, candidate };
    const id = '019a0000-0000-7000-8000-000000000001';
    const job = { jobId: id, kind: HOSTILE, status: HOSTILE, attempt: 1, maxAttempts: 3, progress: 1 };
    const shownJob = { ...job, queuedAt: HOSTILE, lastError: HOSTILE };
    const event = { seq: 1, type: HOSTILE, message: HOSTILE, progress: 2, createdAt: HOSTILE };
    const report = sampleReport();
    const { grade, score } = report;
    const spoiltRules = report.rules.map((rule) => {
      const { status, severity, scope, category } = rule;
      return { ...spoil(rule), status, severity, scope, category };
    });
    const categories = report.categories.map((each) => ({ ...spoil(each), category: each.category }));
    const gates = [{ id: 'home-status', cap: 40, url: HOSTILE, observed: HOSTILE }];
    const spoilt = {
      ...spoil(report),
      homeUrl: 'http://a.test/',
      rules: spoiltRules,
      categories,
      gates,
      grade,
      score,
    };
    const stream = {
      id: HOSTILE,
      kind: 'response',
      state: HOSTILE,
      bytes: 1,
      contentType: HOSTILE,
      createdAt: HOSTILE,
    };
    const replies: Readonly<Record<string, unknown>> = {
      'POST /api/audits': { auditId: id },
      [`GET /api/audits/${id}`]: { status: 'done', lastError: null },
      [`GET /api/audits/${id}/report`]: spoilt,
      'POST /api/compare': { comparisonId: id },
      [`GET /api/compare/${id}`]: {
        status: 'completed',
        result: { left: pair?.left, right: pair?.right, diff, explanation: spoil(pair?.explanation) },
      },
      'GET /api/jobs': { jobs: [shownJob], next: null },
      [`GET /api/jobs/${id}`]: shownJob,
      [`GET /api/jobs/${id}/events`]: { events: [event] },
      'GET /api/streams': { streams: [{ ...stream, method: HOSTILE, upstreamUrl: HOSTILE }], next: null },
    };
    server = await listenHttp((request, response) => {
      const [path = ''] = (request.url ?? '').split('?');
      if (path.endsWith('/events') && request.headers.accept === 'text/event-stream')
        return response.writeHead(204).end();
      const reply = replies[`${request.method} ${path}`];
      if (reply !== undefined) return response.end(JSON.stringify(reply));
      if (path === '/v1/stream/named')
        return response
          .writeHead(200, { 'content-type': 'a/\u009b5m', 'stream-next-offset': '\u00851' })
          .end();
      return response.writeHead(404).end(JSON.stringify({ error: { code: 'NOT_FOUND', message: HOSTILE } }));
    });
  });
  afterAll(() => server.close());

  const ID = '019a0000-0000-7000-8000-000000000001';
  test.each([
    ['audit', 'http://a.test/', '-r', AUDIT],
    ['compare', 'http://a.test/', 'http://b.test/', '--all', '-r', COMPARE],
    ['jobs', 'list'],
    ['jobs', 'show', ID],
    ['jobs', 'cancel', ID],
    ['stream', 'list'],
    ['stream', 'head', 'named'],
    ['stream', 'read', 'none'],
    ['stream', 'create', 'none'],
    ['proxy', 'send', 'http://a.test/'],
    ['rm', 'job', ID],
  ])('sonde %s %s', async (...args) => {
    const given = args.filter((each) => each !== undefined);
    const shown = await expectHarmlessRun([...given, '--server', server.origin, '--token', 'x']);
    expect(shown.length).toBeGreaterThan(20);
    if (given[1] !== 'head') expect(shown).toContain('HOST\\u001b]0;title\\u0007');
  });
});

const GIVEN: Readonly<Record<string, readonly string[]>> = {
  'a path to net check': ['net', 'check', `http://a.test/${HOSTILE}`, '--resolve', '1.1.1.1'],
  'a host to net check': ['net', 'check', `http://[${HOSTILE}`],
  'a code to explain': ['explain', HOSTILE],
  'a name of a configuration': ['config', 'show', '--config', `${HOSTILE}.json`],
  'URLs to compare': ['compare', HOSTILE, HOSTILE],
  'a URL to audit': ['audit', HOSTILE],
  'a command': [HOSTILE],
};

test.each(Object.entries(GIVEN))('what was given is quoted harmlessly: %s', async (_name, args) => {
  await expectHarmlessRun(args);
});

/** Runs the program with a terminal on stdout and returns what the terminal gets. */
async function onTerminal(args: readonly string[], cwd: string): Promise<string> {
  const quoted = [process.execPath, PROGRAM, ...args].map((each) => `'${each}'`).join(' ');
  const child = spawn('script', ['-qec', quoted, '/dev/null'], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '' },
  });
  const pieces: Buffer[] = [];
  for await (const piece of child.stdout) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

test('a payload is copied byte for byte to a pipe, and shown as printable text on a terminal', async () => {
  const server = await serveForTest();
  try {
    const bytes = Buffer.concat([
      Buffer.from(HOSTILE),
      Buffer.from([0xff, 0xfe, 0x00]),
      Buffer.from(' é€😀\r\n'),
    ]);
    const at = `${server.url}/v1/stream/hostile`;
    await fetch(at, { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: bytes });
    const args = ['stream', 'read', 'hostile', '--server', server.url, '--token', 'x'];
    const { stdout } = await sonde(args);
    expect(stdout).toBe(bytes.toString());
    const shown = await onTerminal(args, folderWith());
    expectHarmless('terminal', shown.replaceAll('\r\r\n', '\r\n'), { lines: true });
    expect(shown).toContain('HOST\\u001b]0;title\\u0007');
    expect(shown).toContain('\ufffd\ufffd\\u0000 é€😀');
  } finally {
    await server.stop();
  }
});
