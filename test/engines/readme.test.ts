import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openDemo } from '../../src/cli/demo/open-demo.js';
import { listenLocally } from '../../src/runtimes/node/listen-locally.js';
import { startDnsServer } from '../support/dns-server.js';
import { listenHttp } from '../support/listen.js';
import { folderWith, PROGRAM, sonde, startSonde } from './cli-process.js';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const guide = readFileSync(new URL('../../docs/guides/ci-gate.md', import.meta.url), 'utf8');
const blocks = (language: string, text = readme) =>
  [...text.matchAll(/```(\w+)\n([\s\S]*?)```/g)]
    .filter((match) => match[1] === language)
    .map((match) => match[2] ?? '');

/** Runs a line of the README as a person would, with the built program in place of the installed one. */
function shell(line: string, cwd: string, env: Record<string, string> = {}) {
  const command = line.replaceAll('npx sonde', `"${process.execPath}" "${PROGRAM}"`);
  return spawnSync('sh', ['-c', command], {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
}

const lineWith = (text: string): string =>
  blocks('sh')
    .flatMap((block) => block.trim().split('\n'))
    .find((line) => line.includes(text)) ?? '';

const lines = blocks('sh')
  .flatMap((block) => block.trim().split('\n'))
  .filter((line) => /npx sonde (?:net|redact)/.test(line));

test.each(lines)('%s', (line) => {
  const { status, stdout, stderr } = shell(line, folderWith());
  const refused = line.includes('0x7f');
  expect([status, stderr]).toEqual([refused ? 1 : 0, '']);
  if (line.includes('net check')) expect(stdout).toMatch(refused ? /^refused/ : /^allowed/);
  else expect(stdout).toBe('Authorization: Bearer [REDACTED]\n');
});

test('the demo', () => {
  const { status, stdout } = shell('npx sonde demo', folderWith());
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^✗ fail/)]);
});

test('every comparison that is shown is one that the program understands', async () => {
  const shown = [...blocks('sh'), ...blocks('sh', guide)]
    .flatMap((block) => block.trim().split('\n'))
    .filter((line) => /npx sonde (?:compare|probe) /.test(line));
  expect(shown).toHaveLength(5);
  const cwd = folderWith({ 'paths.txt': '/' });
  // Names that lead nowhere: nothing may leave the machine.
  const dns = await startDnsServer(() => []);
  try {
    for (const line of shown) {
      const args = [...line.split(' ').slice(2), '--dns-servers', dns.address];
      const { code } = await sonde(args, { cwd });
      expect([line, code]).toEqual([line, 3]);
    }
  } finally {
    await dns.close();
  }
});

test('the findings and the output that are shown are real', async () => {
  const demo = shell('npx sonde demo', folderWith()).stdout;
  const [compared = '', audited = ''] = blocks('text');
  for (const line of compared.trim().split('\n')) expect(demo).toContain(line);
  const sites = await openDemo({ listenLocally });
  try {
    const { stdout } = await sonde(['audit', sites.staging, '--allow-private', sites.staging]);
    for (const line of audited.trim().split('\n')) expect(stdout).toContain(line);
  } finally {
    await sites.close();
  }
});

test('the call with a minted token', async () => {
  const line =
    blocks('sh')
      .flatMap((block) => block.trim().split('\n'))
      .find((each) => each.includes('curl')) ?? '';
  const cwd = folderWith();
  const server = startSonde(['serve', '--port', '0', '--json'], { cwd });
  const { url } = await new Promise<{ url: string }>((resolve) =>
    server.stdout.once('data', (data: Buffer) => resolve(JSON.parse(String(data)))),
  );
  const [, token = ''] = /\$\((npx sonde token [^)]*)\)/.exec(line) ?? [];
  const { stdout } = shell(token, cwd);
  const answer = await fetch(new URL('/metrics', url), {
    headers: { authorization: `Bearer ${stdout.trim()}` },
  });
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('sonde_http_requests_total');
});

test('the stream that is kept', async () => {
  const cwd = folderWith();
  const server = startSonde(['serve', '--json'], { cwd, env: { SONDE_PORT: '0' } });
  const { url } = await new Promise<{ url: string }>((resolve) =>
    server.stdout.once('data', (data: Buffer) => resolve(JSON.parse(String(data)))),
  );
  const commands = blocks('sh')
    .flatMap((block) => block.trim().split('\n'))
    .filter((line) => line.includes('sonde stream'));
  const printed = commands.map((line) => shell(line, cwd, { SONDE_SERVER: url }));
  expect(printed.map(({ status }) => status)).toEqual([0, 0, 0, 0]);
  expect(printed.slice(2).map(({ stdout }) => stdout)).toEqual(Array(2).fill(blocks('text')[2]));
}, 300_000);

test('the program that uses the door', async () => {
  const server = await listenHttp((_request, response) => response.end('hello'));
  try {
    const source = blocks('ts').find((block) => block.includes('sonde/net')) ?? '';
    const script = source
      .replace(
        "'sonde/net'",
        JSON.stringify(fileURLToPath(new URL('../../dist/node-net.js', import.meta.url))),
      )
      .replace('createOutboundClient()', `createOutboundClient({ allowPrivate: ['${server.origin}'] })`)
      .replace('https://example.com/', server.origin);
    const file = join(folderWith(), 'example.mjs');
    writeFileSync(file, script);
    const { stdout } = await promisify(execFile)(process.execPath, [file]);
    expect(stdout).toMatch(/^200 0 5 \{/);
  } finally {
    await server.close();
  }
});

test('the answer that is not lost: from the terminal, and in a program', async () => {
  const upstream = await listenHttp((request, response) => {
    request.resume().on('end', () => response.end(`asked with ${request.headers.authorization}`));
  });
  try {
    const cwd = folderWith();
    const args = ['serve', '--json', '--auth', 'none', '--proxy-allow', `private:${upstream.origin}/v1/*`];
    const server = startSonde(args, { cwd, env: { SONDE_PORT: '0' } });
    const { url } = await new Promise<{ url: string }>((resolve) =>
      server.stdout.once('data', (data: Buffer) => resolve(JSON.parse(String(data)))),
    );
    const here = (text: string) => text.replaceAll('https://api.example.com', upstream.origin);
    const line = lineWith('sonde proxy send');
    const command = here(line).replaceAll('npx sonde', `"${process.execPath}" "${PROGRAM}"`);
    const env = { PATH: process.env['PATH'] ?? '', SONDE_SERVER: url, API_KEY: 'k1' };
    const sent = await promisify(execFile)('sh', ['-c', command], { cwd, env });
    expect(sent.stdout).toBe('asked with Bearer k1');
    expect(sent.stderr).toContain('sonde proxy resume');

    const source = blocks('ts').find((block) => block.includes('sonde/client')) ?? '';
    const file = join(cwd, 'example.mjs');
    writeFileSync(
      file,
      here(source)
        .replace("'sonde/client'", JSON.stringify(new URL('../../dist/client.js', import.meta.url).href))
        .replace('http://127.0.0.1:4747', url),
    );
    expect((await promisify(execFile)(process.execPath, [file])).stdout).toBe('asked with undefined');
  } finally {
    await upstream.close();
  }
});

const ENTRIES: Readonly<Record<string, string>> = {
  'sonde/audit': 'runtimes/node/audit-site.ts',
  'sonde/client': 'client/index.ts',
  'sonde/compare': 'runtimes/node/compare-sites.ts',
  'sonde/net': 'runtimes/node/net.ts',
  'sonde/probe': 'runtimes/node/probe.ts',
};

test('every program that is shown type-checks under strict', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const shown = blocks('ts').map((source, n) => [`example-${n}.ts`, source] as const);
  expect(shown).toHaveLength(5);
  const compilerOptions = {
    strict: true,
    // The sources are written for it; the packed types are checked without it by package.test.ts.
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
    module: 'nodenext',
    target: 'es2023',
    lib: ['ES2023', 'DOM', 'DOM.AsyncIterable'],
    types: ['node'],
    typeRoots: [join(root, 'node_modules', '@types')],
    paths: Object.fromEntries(
      Object.entries(ENTRIES).map(([name, file]) => [name, [join(root, 'src', file)]]),
    ),
  };
  const cwd = folderWith({
    ...Object.fromEntries(shown),
    'tsconfig.json': JSON.stringify({ compilerOptions, files: shown.map(([name]) => name) }),
    'package.json': '{"type":"module"}',
  });
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', cwd], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, '']);
}, 300_000);

test('every file that is linked exists', () => {
  const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map((match) => match[1] ?? '');
  expect(links.length).toBeGreaterThan(15);
  expect(links.filter((link) => !existsSync(new URL(`../../${link}`, import.meta.url)))).toEqual([]);
});

test('the reference is what the code says', () => {
  const script = fileURLToPath(new URL('../../scripts/write-reference.mjs', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});
