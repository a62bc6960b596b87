/**
 * A backup is proved by use: what the original issued and sealed works on a server that is started in the copy. A copy
 * that is incomplete is never mistaken for a backup.
 */
import { createHmac } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Settings } from '../../src/config/settings.js';
import { loginLink } from '../../src/runtimes/node/server/login-link.js';
import { sonde, startSonde } from '../engines/cli-process.js';
import { tryBuiltServer } from '../support/built-server.js';
import { keepingLog, type LogLine } from '../support/keeping-log.js';
import { type Listening, listenHttp } from '../support/listen.js';
import { JOB_OPTIONS, type ServedForTest, serveForTest } from '../support/serve.js';

interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

let root: string;
let data: string;
let copy: string;
let target: Listening;
let received: Received[];
const servers: ServedForTest[] = [];
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'sonde-restored-'));
  data = join(root, 'data');
  copy = join(root, 'copy');
  received = [];
  target = await listenHttp(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const { url: path = '', headers } = request;
    received.push({ path, headers, body: Buffer.concat(pieces).toString() });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"done":true}');
  });
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
  await target.close();
  rmSync(root, { recursive: true, force: true });
});

async function start(dataDir: string, { concurrency = 0, lines = [] as LogLine[] } = {}) {
  const server = await serveForTest({
    dataDir,
    auth: 'jwt',
    net: { allowPrivate: [target.origin] },
    proxy: { allow: [target.origin], routes: {}, env: () => undefined },
    jobs: { ...JOB_OPTIONS, concurrency },
    log: keepingLog(lines),
  });
  servers.push(server);
  return server;
}

const JSON_TYPE = { 'content-type': 'application/json' };

async function tokenOf(folder: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await sonde(['token', '--data', folder, ...args]);
  return stdout.trim();
}

/** Creates a code like `sonde login`. */
async function loginCodeOf({ url, dataDir }: ServedForTest): Promise<string> {
  const { hostname: host, port } = new URL(url);
  const link = await loginLink({
    server: { auth: 'jwt', data: dataDir, host, port: Number(port) },
  } as Settings);
  return new URL(link).hash.replace(/^#?(?:code=)?/, '');
}

/** Everything that the original gives out or seals. */
async function use(server: ServedForTest, token: string) {
  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${server.url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${token}`, ...JSON_TYPE, ...(init.headers as object) },
    });
  const post = async (path: string, body: unknown) => {
    const response = await call(path, { method: 'POST', body: JSON.stringify(body) });
    expect([path, response.status]).toEqual([path, 201]);
    return (await response.json()) as Record<string, string>;
  };
  const login = await fetch(`${server.url}/api/session`, {
    method: 'POST',
    headers: { ...JSON_TYPE, origin: server.url },
    body: JSON.stringify({ code: await loginCodeOf(server) }),
  });
  expect(login.status).toBe(200);
  const proxied = await call('/v1/proxy', {
    method: 'POST',
    headers: { 'upstream-url': `${target.origin}/model`, 'upstream-method': 'POST' },
    body: '{}',
  });
  expect(proxied.status).toBe(201);
  await call('/v1/stream/notes', { method: 'PUT' });
  const subscribed = await call('/v1/stream/__ds/subscriptions/all', {
    method: 'PUT',
    body: JSON.stringify({ type: 'webhook', pattern: '*', webhook: { url: `${target.origin}/wake` } }),
  });
  expect(subscribed.status).toBe(201);
  const webhook = await post('/api/webhooks', { url: `${target.origin}/hook` });
  await post('/api/compare', {
    leftUrl: `${target.origin}/left`,
    rightUrl: `${target.origin}/right`,
    rightHeaders: { 'x-api-key': 'sealed-header' },
    samples: 1,
  });
  return {
    cookie: String(login.headers.get('set-cookie')).split(';')[0] ?? '',
    signedPath: String(proxied.headers.get('location')).replace(server.url, ''),
    secret: String(webhook['secret']),
  };
}

test.each(['running', 'stopped'])(
  'what a %s server issued and sealed works on the copy',
  async (state) => {
    const original = await start(data);
    const token = await tokenOf(data, '--scope', 'admin');
    const { cookie, signedPath, secret } = await use(original, token);
    if (state === 'stopped') await servers.pop()?.stop();
    const made = await sonde(['backup', copy, '--data', data]);
    expect([made.code, made.stderr]).toEqual([0, '']);
    if (state === 'running') await servers.pop()?.stop();
    // The original is lost.
    rmSync(data, { recursive: true });

    received.length = 0;
    const lines: LogLine[] = [];
    const restored = await start(copy, { concurrency: 2, lines });
    const asked = (path: string, headers: Record<string, string> = {}) =>
      fetch(`${restored.url}${path}`, { headers });
    expect((await asked('/api/jobs', { authorization: `Bearer ${token}` })).status).toBe(200);
    expect((await asked('/api/session', { cookie })).status).toBe(200);
    const read = await asked(signedPath);
    expect([read.status, await read.text()]).toEqual([200, expect.stringContaining('done')]);
    await fetch(`${restored.url}/v1/stream/notes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, ...JSON_TYPE },
      body: '{"n":1}',
    });
    const heard = (path: string) => received.find((call) => call.path === path);
    await expect.poll(() => heard('/hook'), { timeout: 60_000, interval: 50 }).toBeDefined();
    await expect.poll(() => heard('/wake'), { timeout: 60_000, interval: 50 }).toBeDefined();
    expect(heard('/right')?.headers['x-api-key']).toBe('sealed-header');
    const { headers, body } = heard('/hook') as Received;
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    expect(headers['webhook-signature']).toBe(
      `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
    );
    expect(lines.filter(({ message }) => message.includes('sealed'))).toEqual([]);
  },
  120_000,
);

/** Every file below a folder, with what it contains. */
function filesOf(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return new Map(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(folder.length + 1), readFileSync(path, 'base64')];
    }),
  );
}

test('a backup has every file of the data folder, readable by its owner only', async () => {
  const server = await start(data);
  await use(server, await tokenOf(data, '--scope', 'admin'));
  await fetch(`${server.url}/api/ready`);
  await servers.pop()?.stop();
  // A file of an operator, one of a later version, and a folder that is mounted elsewhere.
  mkdirSync(join(data, 'later', 'deeper'), { recursive: true });
  writeFileSync(join(data, 'later', 'deeper', 'file'), 'later');
  writeFileSync(join(data, 'lost-writes.jsonl'), '');
  mkdirSync(join(root, 'elsewhere'));
  writeFileSync(join(root, 'elsewhere', 'note'), 'linked');
  symlinkSync(join(root, 'elsewhere'), join(data, 'linked'));
  symlinkSync(data, join(data, 'loop'));
  expect((await sonde(['backup', copy, '--data', data])).code).toBe(0);

  const [original, copied] = [filesOf(data), filesOf(copy)];
  const logs = /^(?:sonde|records)\.db-/;
  expect([...copied.keys()].filter((name) => !logs.test(name)).sort()).toEqual(
    [...original.keys(), 'linked/note'].filter((name) => !logs.test(name)).sort(),
  );
  for (const [name, content] of copied) {
    if (!name.includes('.db')) expect([name, content]).toEqual([name, original.get(name) ?? btoa('linked')]);
    expect([name, statSync(join(copy, name)).mode & 0o777]).toEqual([name, 0o600]);
  }
  expect([...copied.keys()].filter((name) => name.startsWith('secrets/')).sort()).toEqual(
    ['callback', 'jwt', 'sealing', 'session', 'signing', 'webhook'].map((key) => `secrets/${key}.key`),
  );
  for (const folder of [copy, join(copy, 'secrets')]) expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('a server without the keys of its rows warns of each kind, and a call keeps waiting for its key', async () => {
  const server = await start(data);
  await use(server, await tokenOf(data, '--scope', 'admin'));
  await servers.pop()?.stop();
  renameSync(join(data, 'secrets'), join(root, 'secrets'));

  received.length = 0;
  const lines: LogLine[] = [];
  const other = await start(data, { concurrency: 2, lines });
  const kinds = ['webhooks of finished jobs', 'sides of running comparisons', 'webhooks of subscriptions'];
  for (const kind of kinds) {
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'warn', message: expect.stringContaining(kind) }),
    );
  }
  const authorization = `Bearer ${await tokenOf(data, '--operator')}`;
  const ready = await (await fetch(`${other.url}/api/ready`, { headers: { authorization } })).json();
  for (const kind of kinds) {
    expect(ready).toMatchObject({
      attention: expect.arrayContaining([expect.stringMatching(`${kind}.*Restore secrets/`)]),
    });
  }
  // The comparison fails, which the webhook is to be told.
  const statuses = async () => {
    const token = await tokenOf(data, '--scope', 'admin');
    const found = await fetch(`${other.url}/api/jobs`, { headers: { authorization: `Bearer ${token}` } });
    return ((await found.json()) as { jobs: { status: string }[] }).jobs.map(({ status }) => status);
  };
  await expect.poll(statuses, { timeout: 60_000 }).toEqual(['failed']);
  const metrics = await fetch(`${other.url}/metrics`, { headers: { authorization } });
  expect(await metrics.text()).toContain('sonde_webhook_deliveries_waiting{state="key_missing"} 1\n');
  await servers.pop()?.stop();
  rmSync(join(data, 'secrets'), { recursive: true });
  renameSync(join(root, 'secrets'), join(data, 'secrets'));
  expect(received.filter(({ path }) => path === '/hook')).toEqual([]);
  await start(data, { concurrency: 2 });
  await expect.poll(() => received.map(({ path }) => path), { timeout: 60_000 }).toContain('/hook');
}, 120_000);

test('a killed backup leaves a folder that nothing starts on, and says what to do', async () => {
  await start(data);
  await servers.pop()?.stop();
  // Copying a large file takes long enough to be killed.
  writeFileSync(join(data, 'zz-large'), new Uint8Array(256 * 1024 * 1024));
  const command = startSonde(['backup', copy, '--data', data]);
  const partial = `${copy}.partial`;
  await expect.poll(() => existsSync(join(partial, 'zz-large')), { timeout: 60_000, interval: 2 }).toBe(true);
  command.kill('SIGKILL');
  await new Promise((resolve) => command.once('exit', resolve));

  expect(existsSync(copy)).toBe(false);
  const again = await sonde(['backup', copy, '--data', data]);
  expect([again.code, again.stderr]).toEqual([
    2,
    expect.stringMatching(/copy\.partial exists.*delete that folder/),
  ]);
  const moved = join(root, 'moved');
  renameSync(partial, moved);
  const before = readdirSync(moved).sort();
  expect(await tryBuiltServer({ folder: moved })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('is an incomplete backup'),
  });
  for (const args of [
    ['stream', 'verify'],
    ['compact'],
    ['backup', join(root, 'second')],
    ['token', '--scope', 'admin'],
  ]) {
    const { code, stderr } = await sonde([...args, '--data', moved]);
    expect([args, code, stderr]).toEqual([args, 2, expect.stringContaining('is an incomplete backup')]);
  }
  expect(readdirSync(moved).sort()).toEqual(before);
  expect((await sonde(['backup', copy, '--data', data])).code).toBe(0);
  expect(existsSync(partial)).toBe(false);
  expect(existsSync(join(copy, 'partial-backup.txt'))).toBe(false);
}, 120_000);

test('a backup into the data folder itself is refused, however it is named', async () => {
  await start(data);
  await servers.pop()?.stop();
  symlinkSync(data, join(root, 'link'));
  for (const inside of [join(data, 'inside'), join(root, 'link', 'a', 'b'), data]) {
    const { code, stderr } = await sonde(['backup', inside, '--data', data]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('is inside the data folder')]);
  }
  expect(existsSync(join(data, 'inside'))).toBe(false);
  expect((await sonde(['backup', `${data}-beside`, '--data', data])).code).toBe(0);
});
