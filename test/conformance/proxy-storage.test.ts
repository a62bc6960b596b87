import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { Metrics } from '../../src/api/metrics/metrics.js';
import {
  composeProxy,
  readProxyRules,
  type ServerProxy,
} from '../../src/runtimes/node/server/compose-proxy.js';
import { secretFiles } from '../../src/runtimes/node/server/secrets.js';
import { Upstream } from '../support/proxy-bench.js';
import { FULL_DISK, PumpBench } from '../support/pump-bench.js';
import { serveOptions } from '../support/serve.js';

/** Creates on a full disk: the real proxy, egress layer and upstream over real stores whose commits fail. */
const bench = new PumpBench();
let upstream: Upstream;
let proxy: ServerProxy;
let folder: string;

beforeAll(async () => {
  bench.open();
  upstream = await Upstream.start();
});
beforeEach(async () => {
  await bench.begin();
  upstream.reset();
  folder = mkdtempSync(join(tmpdir(), 'sonde-proxy-storage-'));
  const options = serveOptions(folder, { proxy: { allow: [`private:${upstream.origin}/*`] } });
  const rules = readProxyRules(options.settings, options.env);
  const host = {
    store: bench.inline.proxy,
    streams: bench.service,
    storeFault: async () => undefined,
    metrics: new Metrics(),
    rules,
  };
  proxy = await composeProxy({ ...options, secrets: secretFiles(folder), net: {} }, host);
});
afterEach(async () => {
  bench.failWith = undefined;
  await proxy.stop();
  await bench.service.stop();
  rmSync(folder, { recursive: true, force: true });
});
afterAll(async () => {
  await upstream.listening.close();
  bench.close();
});

async function create(key?: string) {
  const headers: [string, string][] = [
    ['Upstream-URL', `${upstream.origin}/answer`],
    ['Upstream-Method', 'GET'],
  ];
  if (key !== undefined) headers.push(['Idempotency-Key', key]);
  return proxy.service.create({
    tenant: 'default',
    headers,
    header: (name) => headers.find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1] ?? null,
    body: async () => new Uint8Array(0),
    absolute: (path) => `http://sonde.test${path}`,
  });
}

const answered = (response: Awaited<ReturnType<typeof create>>) => [
  response.status,
  response.error?.code,
  response.headers['Upstream-Status'],
];

test("a response that cannot be stored is 502 STORAGE_ERROR with the upstream's status", async () => {
  upstream.respond = (response) => {
    bench.failWith = FULL_DISK;
    response.writeHead(203).end('for nobody');
  };
  expect(answered(await create())).toEqual([502, 'STORAGE_ERROR', '203']);
  expect(proxy.service.running).toBe(0);
  bench.failWith = undefined;
  upstream.respond = (response) => void response.end('for somebody');
  expect((await create()).status).toBe(201);
});

test('a response that cannot be stored is not received any further', async () => {
  const closed = new Promise<void>((resolve) => {
    upstream.respond = (response) => {
      bench.failWith = FULL_DISK;
      response.on('close', resolve).writeHead(200).write('the first of many words');
    };
  });
  expect(answered(await create())).toEqual([502, 'STORAGE_ERROR', '200']);
  await closed;
});

test('bytes that arrive with the head are stored with the head, in one commit', async () => {
  const commits: number[] = [];
  let tokens = () => {};
  upstream.respond = (response) => {
    response.write('the first words');
    tokens = () => void response.end(', and the last');
  };
  bench.onCommit = () => commits.push(performance.now());
  const { headers } = await create();
  // One for each call of the store, which the real host batches: the attempt, the pump and the stream.
  expect(commits).toHaveLength(3);
  const id = /proxy\/([\w-]+)/.exec(headers['Location'] ?? '')?.[1] ?? '';
  bench.streamId = `proxy/${id}`;
  expect((await bench.stored()).text).toBe('the first words');
  tokens();
  await expect.poll(() => proxy.service.running).toBe(0);
  expect(await bench.stored()).toMatchObject({
    text: 'the first words, and the last',
    outcome: 'completed',
  });
  bench.onCommit = () => {};
});

test('nothing is sent if the key cannot be stored; if its result cannot be stored, a repeat is refused', async () => {
  bench.failWith = FULL_DISK;
  await expect(create('k1')).rejects.toMatchObject({ code: 'STORAGE_FULL' });
  expect(upstream.asked).toEqual([]);
  bench.failWith = undefined;
  upstream.respond = (response) => {
    bench.failWith = FULL_DISK;
    response.end('for nobody');
  };
  expect(answered(await create('k1'))).toEqual([502, 'STORAGE_ERROR', '200']);
  bench.failWith = undefined;
  await expect(create('k1')).rejects.toMatchObject({ code: 'CREATE_INDETERMINATE' });
  expect(upstream.asked).toHaveLength(1);
});
