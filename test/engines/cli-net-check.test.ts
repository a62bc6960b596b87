/** `sonde net check`: single URLs and files of cases. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { startDnsServer } from '../support/dns-server.js';
import { folderWith, shareProcess } from './cli-process.js';

const sonde = shareProcess();

const CORPUS = fileURLToPath(new URL('../corpus/egress.jsonl', import.meta.url));

describe('a URL', () => {
  test('that is allowed exits with 0', async () => {
    const { code, stdout, stderr } = await sonde([
      'net',
      'check',
      'https://example.com/',
      '--resolve',
      '93.184.215.14',
    ]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^allowed {2}https:\/\/example\.com\/\n/);
  });

  test.each([
    [['http://0x7f.1/'], 'address', 'loopback'],
    [['https://metadata.google.internal/'], 'host', 'metadata_name'],
    [['https://example.com:25/'], 'port', 'bad_port'],
    [['https://example.com/', '--resolve', '93.184.215.14,10.0.0.1'], 'dns', 'private'],
  ])('that is refused exits with 1: %j', async (args, step, rule) => {
    const { code, stdout } = await sonde(['net', 'check', ...args, '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      schemaVersion: 1,
      verdict: 'refused',
      code: 'ssrf_blocked',
      step,
      rule,
    });
  });

  test('in an allowed private origin passes', async () => {
    const { code } = await sonde([
      'net',
      'check',
      'http://127.0.0.1:8080/',
      '--allow-private',
      'http://127.0.0.1:8080',
    ]);
    expect(code).toBe(0);
  });

  test('is resolved by the configured DNS servers', async () => {
    const dns = await startDnsServer((name) => (name === 'inside.sonde-tests.com' ? ['192.168.1.1'] : []));
    try {
      const ask = (url: string) => sonde(['net', 'check', url, '--dns-servers', dns.address, '--json']);
      const known = await ask('https://inside.sonde-tests.com/');
      expect([known.code, JSON.parse(known.stdout).rule]).toEqual([1, 'private']);
      const unknown = await ask('https://nowhere.sonde-tests.com/');
      expect([unknown.code, JSON.parse(unknown.stdout).verdict]).toEqual([3, 'unresolved']);
    } finally {
      await dns.close();
    }
  });

  test.each([[['exampel']], [['htp://example.com']], [['http://user:secret@example.com']]])(
    'that is mistyped is one line and exit 2: %j',
    async (args) => {
      const { code, stdout, stderr } = await sonde(['net', 'check', ...args]);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^error: [^\n]+\n$/);
      expect(stderr).not.toContain('secret');
    },
  );

  test('that is missing is a usage error', async () => {
    expect((await sonde(['net', 'check'])).code).toBe(2);
    expect((await sonde(['net', 'check', 'https://a.com', '--cases', CORPUS])).code).toBe(2);
  });
});

describe('a file of cases', () => {
  test('runs all cases: one line each, in order, exit 0 if all pass', async () => {
    const { code, stdout, stderr } = await sonde(['net', 'check', '--cases', CORPUS]);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const ids = readFileSync(CORPUS, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id);
    expect(lines.map(({ id }) => id)).toEqual(ids);
    expect(lines.filter(({ pass }) => !pass)).toEqual([]);
    expect(Object.keys(lines[0])).toEqual(['id', 'expect', 'got', 'pass', 'code']);
    expect(stderr).toBe(`${ids.length} of ${ids.length} cases pass\n`);
    expect(code).toBe(0);
  });

  test('exits with 1 if a case differs, and names the assertion', async () => {
    const rows = [
      { id: 'wrong', kind: 'url', input: 'http://127.0.0.1/', expect: 'allow', reason: '' },
      {
        id: 'kept-alive',
        kind: 'dns',
        input: { url: 'http://a.com/', requests: 2, newConnection: false },
        resolves: [['8.8.8.8'], ['10.0.0.1']],
        expect: 'allow',
        assert: { maxLookups: 0 },
        reason: '',
      },
    ];
    const cwd = folderWith({ 'c.jsonl': rows.map((row) => JSON.stringify(row)).join('\n') });
    const { code, stdout, stderr } = await sonde(['net', 'check', '--cases', 'c.jsonl'], { cwd });
    expect(code).toBe(1);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { id: 'wrong', expect: 'allow', got: 'block', pass: false, code: 'ssrf_blocked' },
      { id: 'kept-alive', expect: 'allow', got: 'allow', pass: false, code: null },
    ]);
    expect(stderr).toContain('kept-alive: maxLookups 0, were 1');
  });

  test.each([
    [
      '{"id":"a","kind":"url","input":"http://a.com","expect":"allow","asert":{}}',
      /line 1: unknown field "asert"/,
    ],
    [
      '{"id":"a","kind":"url","input":{"url":"http://a.com","hop":[]},"expect":"allow"}',
      /unknown field "hop"/,
    ],
    ['{"id":"a","kind":"urls","input":"http://a.com","expect":"allow"}', /"kind" is not one of/],
    ['{"id":"a","kind":"url","input":"http://a.com","expect":"maybe"}', /"expect" is not one of/],
    ['{"id":"a","kind":"url"', /line 1/],
    ['', /contains no cases/],
  ])('refuses %s', async (text, message) => {
    const cwd = folderWith({ 'c.jsonl': text });
    const { code, stdout, stderr } = await sonde(['net', 'check', '--cases', 'c.jsonl'], { cwd });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
    expect(stderr).toMatch(message);
  });

  test('that does not exist is one line and exit 2', async () => {
    const { code, stderr } = await sonde(['net', 'check', '--cases', 'nope.jsonl']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: [^\n]*nope\.jsonl[^\n]*\n$/);
  });
});
