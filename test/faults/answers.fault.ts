/**
 * TLS and compression with a real nginx: one server as the candidate and one as the reference, which the program
 * compares in both directions. Needs nginx with its brotli filter (nginx-light, libnginx-mod-http-brotli-filter).
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { EnvDiff } from '../../src/compare/index.js';
import { report } from '../support/fault-report.js';
import { listenTcp } from '../support/listen.js';

const PROGRAM = fileURLToPath(new URL('../../dist/sonde.js', import.meta.url));
const TLS = fileURLToPath(new URL('../fixtures/compare-tls/', import.meta.url));
const BROTLI = '/usr/lib/nginx/modules/ngx_http_brotli_filter_module.so';
const HOSTS = { left: 'staging.planted.test', right: 'www.planted.test' } as const;
const START_MS = 10_000;

type Side = keyof typeof HOSTS;

/** The differences from the well-configured server. */
interface Server {
  readonly certificate?: string;
  readonly protocols?: string;
  readonly http2?: false;
  readonly directives?: string;
}

interface Variant {
  readonly worse: Server;
  readonly better?: Server;
  readonly code: string;
  /** Severity and exit code with the worse server as the candidate, and with the better one. */
  readonly expected: readonly [severity: string, exit: number];
  readonly mirrored: readonly [severity: string, exit: number];
}

const GZIP = 'gzip on; gzip_vary on; gzip_min_length 1;';
const HEADERS =
  'add_header Strict-Transport-Security "max-age=31536000" always; add_header X-Frame-Options DENY always;';
const improvement = { mirrored: ['info', 0] } as const;

const VARIANTS: Readonly<Record<string, Variant>> = {
  'TLS 1.2 only': {
    worse: { protocols: 'TLSv1.2' },
    code: 'TLS_PROTOCOL_DRIFT',
    expected: ['warn', 0],
    ...improvement,
  },
  'an untrusted certificate': {
    worse: { certificate: 'untrusted' },
    code: 'TLS_CERT_INVALID',
    expected: ['critical', 1],
    mirrored: ['info', 3],
  },
  'a certificate for another name': {
    worse: { certificate: 'wrong-name' },
    code: 'TLS_CERT_INVALID',
    expected: ['critical', 1],
    mirrored: ['info', 3],
  },
  'no HTTP/2': { worse: { http2: false }, code: 'PROTOCOL_DRIFT', expected: ['warn', 0], ...improvement },
  'no compression': {
    worse: { directives: '' },
    better: { directives: GZIP },
    code: 'CONTENT_ENCODING_DRIFT',
    expected: ['warn', 0],
    ...improvement,
  },
  'gzip instead of brotli': {
    worse: { directives: GZIP },
    better: { directives: `${GZIP} brotli on; brotli_min_length 1;` },
    code: 'CONTENT_ENCODING_DRIFT',
    expected: ['info', 0],
    ...improvement,
  },
  'compression without Vary': {
    worse: { directives: GZIP.replace('gzip_vary on', 'gzip_vary off') },
    better: { directives: GZIP },
    code: 'VARY_DRIFT',
    expected: ['warn', 0],
    ...improvement,
  },
  'no validators': {
    worse: { directives: 'etag off; add_header Last-Modified "";' },
    better: { directives: '' },
    code: 'VALIDATOR_DRIFT',
    expected: ['warn', 0],
    ...improvement,
  },
  'HSTS lost': {
    worse: { directives: 'add_header X-Frame-Options DENY always;' },
    better: { directives: HEADERS },
    code: 'SECURITY_HEADER_MISSING',
    expected: ['critical', 1],
    ...improvement,
  },
  'a header that a location drops': {
    worse: { directives: `${HEADERS} location / { add_header X-Served-By a; }` },
    better: { directives: HEADERS },
    code: 'SECURITY_HEADER_MISSING',
    expected: ['critical', 1],
    ...improvement,
  },
};

const EQUALS: Readonly<Record<string, readonly [Server, Server]>> = {
  'two servers with the same configuration': [{}, {}],
  'another gzip level': [
    { directives: `${GZIP} gzip_comp_level 1;` },
    { directives: `${GZIP} gzip_comp_level 9;` },
  ],
  'no session tickets': [{ directives: 'ssl_session_tickets off;' }, {}],
  'other buffers': [{ directives: 'output_buffers 1 1k; postpone_output 0;' }, {}],
};

const folder = mkdtempSync(join(tmpdir(), 'sonde-answers-'));
let servers: ChildProcess[] = [];

beforeAll(() => {
  if (!existsSync(BROTLI)) throw new Error(`${BROTLI} is missing: install libnginx-mod-http-brotli-filter`);
  // nginx workers run as another user.
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'site'));
  const words = '<p>Everything that a plumb line needs.</p>'.repeat(80);
  writeFileSync(
    join(folder, 'site', 'index.html'),
    `<!doctype html><html lang="en"><title>Shop</title><main><h1>Shop</h1>${words}</main></html>`,
  );
});
afterEach(async () => {
  for (const server of servers) {
    const exited = once(server, 'exit');
    if (server.kill('SIGQUIT')) await exited;
  }
  servers = [];
});
afterAll(() => rmSync(folder, { recursive: true }));

async function start(side: Side, server: Server): Promise<number> {
  const { port, close } = await listenTcp(() => {});
  await close();
  const home = mkdtempSync(join(folder, `${side}-`));
  const config = join(home, 'nginx.conf');
  writeFileSync(config, configOf(side, server, { port, home }));
  const child = spawn('nginx', ['-c', config, '-e', join(home, 'error.log'), '-g', 'daemon off;'], {
    stdio: 'inherit',
  });
  servers.push(child);
  for (const end = Date.now() + START_MS; !(await accepts(port)); await delay(20)) {
    if (Date.now() > end || child.exitCode !== null) throw new Error(`nginx did not start: ${config}`);
  }
  return port;
}

const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket.destroy() !== undefined));
    socket.on('error', () => resolve(false));
  });

function configOf(
  side: Side,
  { certificate, protocols = 'TLSv1.2 TLSv1.3', http2, directives = '' }: Server,
  { port, home }: { readonly port: number; readonly home: string },
): string {
  const other = side === 'left' ? 'right' : 'left';
  const pem = certificate === 'wrong-name' ? other : (certificate ?? side);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${home}/${name};`)
    .join(' ');
  return `load_module ${BROTLI};
worker_processes 1;
pid ${home}/pid;
events {}
http {
  ${temporary}
  access_log off;
  types { text/html html; }
  server {
    listen 127.0.0.1:${port} ssl${http2 === false ? '' : ' http2'};
    ssl_certificate ${TLS}${pem}.pem;
    ssl_certificate_key ${TLS}${pem}-key.pem;
    ssl_protocols ${protocols};
    server_tokens off;
    root ${folder}/site;
    ${directives}
  }
}
`;
}

async function compare(left: Server, right: Server, more: readonly string[] = []) {
  const ports = { left: await start('left', left), right: await start('right', right) };
  const urls = { left: `https://${HOSTS.left}`, right: `https://${HOSTS.right}` };
  const args = [
    'compare',
    `${urls.left}/`,
    `${urls.right}/`,
    '--json',
    ...['--allow-private', `${urls.left},${urls.right}`],
    ...['--connect-to', `${HOSTS.left}=127.0.0.1:${ports.left},${HOSTS.right}=127.0.0.1:${ports.right}`],
    ...['--ca', join(TLS, 'ca.pem')],
    ...more,
  ];
  return new Promise<{ readonly exit: number; readonly diff: EnvDiff }>((resolve, reject) => {
    execFile(process.execPath, [PROGRAM, ...args], { maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      const exit = error ? Number(error.code ?? 1) : 0;
      try {
        resolve({ exit, diff: JSON.parse(stdout).comparisons[0].diff });
      } catch {
        reject(new Error(`exit ${exit}: ${stderr}${stdout.slice(0, 500)}`));
      }
    });
  });
}

const found = (diff: EnvDiff, code: string) =>
  diff.findings.find((finding) => finding.code === code)?.severity;
const listed = ({ findings }: EnvDiff) =>
  findings.map(({ severity, code, message }) => `${severity} ${code}: ${message}`).join('\n');
const loud = ({ findings }: EnvDiff) =>
  findings.filter(({ severity }) => severity !== 'info').map(({ code, message }) => `${code}: ${message}`);

/** `npm run faults -- answers`. */
test.each(Object.entries(VARIANTS))('nginx: %s', async (name, { worse, better = {}, ...variant }) => {
  const { code, expected, mirrored } = variant;
  const first = await compare(worse, better);
  expect([found(first.diff, code), first.exit], listed(first.diff)).toEqual(expected);
  const second = await compare(better, worse);
  expect([found(second.diff, code), second.exit], listed(second.diff)).toEqual(mirrored);
  report('answers', { name, code, severity: expected[0], exit: first.exit, mirroredExit: second.exit });
});

test.each(Object.entries(EQUALS))('nginx, equal: %s', async (name, [left, right]) => {
  const { diff, exit } = await compare(left, right, ['--fail-on', 'warn']);
  expect([...loud(diff), exit]).toEqual([0]);
  expect(diff.status).toMatchObject({ left: 200, right: 200 });
  report('answers', { name, infos: diff.findings.length, exit });
});
