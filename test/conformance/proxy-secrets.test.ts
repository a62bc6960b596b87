import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  idOf,
  locationOf,
  readToEnd,
  refusal,
  startProxyBench,
  token,
  Upstream,
} from '../support/proxy-bench.js';

/** Returns every byte of every file in a folder. */
function allBytes(folder: string): Buffer {
  const files = readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)));
  return Buffer.concat(files.filter((file) => statSync(file).isFile()).map((file) => readFileSync(file)));
}

describe('secrets', () => {
  test('that pass through the proxy are stored neither in the data folder nor in the log', async () => {
    const upstream = await Upstream.start();
    const dataDir = mkdtempSync(join(tmpdir(), 'sonde-canary-'));
    const routeKey = 'CANARY-route-key-0001';
    const bench = await startProxyBench({
      upstream,
      dataDir,
      proxy: {
        routes: { keyed: { url: upstream.origin, credential: 'env:K', private: true } },
        env: () => routeKey,
      },
    });
    const secret = await token();
    const canaries = [routeKey, secret, secret.split('.')[2] ?? ''];
    const canary = (name: string) => {
      const text = `CANARY-${name}-0002`;
      canaries.push(text);
      return text;
    };
    const behaviours: Upstream['respond'][] = [
      (response) => void response.writeHead(200, { 'set-cookie': `a=${canary('cookie')}` }).end('fine'),
      (response) => void response.writeHead(401, { 'www-authenticate': 'Bearer' }).end('no'),
      (response) => void response.socket?.destroy(),
      (response) => void response.writeHead(302, { location: `http://x/?t=${canary('redirect')}` }).end(),
      (response) =>
        void response.write('half', () => setTimeout(() => response.socket?.resetAndDestroy(), 20)),
    ];
    for (const [index, respond] of behaviours.entries()) {
      upstream.respond = respond;
      for (const key of [undefined, `key-${index}`]) {
        const created = await bench.create(
          `/p?api_key=${canary('query')}&q=${canary('plain-query')}&sig=${canary('sig')}#${canary('fragment')}`,
          {
            method: 'POST',
            body: canary('request-body'),
            headers: {
              'upstream-authorization': `Bearer ${canary('upstream-authorization')}`,
              cookie: `s=${canary('caller-cookie')}`,
              'x-api-key': canary('x-api-key'),
              'x-custom-secret': canary('custom-header'),
              ...(key !== undefined && { 'idempotency-key': key }),
            },
          },
        );
        if (created.status === 201) {
          const location = locationOf(created);
          canaries.push(new URL(location).searchParams.get('signature') ?? '');
          await readToEnd(location);
          await bench.ask(`/v1/proxy/${idOf(created)}?secret=${secret}`, { token: '' });
          await fetch(`${location}&action=abort`, { method: 'PATCH' });
        }
        await bench.ask('/r/keyed/x', { headers: { authorization: `Bearer ${secret}` } }).then(
          (response) => response.text().catch(() => ''),
          () => '',
        );
      }
    }
    await bench.create('/', {
      headers: { 'upstream-url': `http://user:${canary('userinfo')}@127.0.0.1:1/` },
    });
    await fetch(`${bench.url}/v1/proxy?secret=${canary('bad-secret')}`, { method: 'POST' });
    const live = allBytes(dataDir);
    await bench.stop();
    const rested = Buffer.concat([live, allBytes(dataDir)]);
    const logged = JSON.stringify(bench.lines, (_key, value) =>
      value instanceof Error
        ? { ...value, message: value.message, stack: value.stack, cause: value.cause }
        : value,
    );
    expect(canaries.length).toBeGreaterThan(100);
    for (const text of new Set(canaries)) {
      expect(text.length).toBeGreaterThan(10);
      expect(rested.includes(text), `${text} in the data folder`).toBe(false);
      expect(logged.includes(text), `${text} in the log`).toBe(false);
    }
    // Proves that the search works: data that may be stored is found.
    expect(rested.includes('half')).toBe(true);
    await upstream.listening.close();
    rmSync(dataDir, { recursive: true, force: true });
  }, 60_000);
});

describe('tenants', () => {
  test("never see each other's streams: a foreign stream is not found", async () => {
    const bench = await startProxyBench();
    const [mine, theirs] = [await token('mine'), await token('theirs')];
    const created = await bench.create('/', { token: mine, headers: { 'idempotency-key': 'same' } });
    const path = `/v1/proxy/${idOf(created)}`;
    const missing = `/v1/proxy/${idOf(created).replace(/.$/, (last) => (last === '0' ? '1' : '0'))}`;
    for (const query of ['', '?offset=-1', '?offset=now&live=long-poll', '?offset=-1&live=sse']) {
      const other = await bench.ask(`${path}${query}`, { token: theirs });
      const none = await bench.ask(`${missing}${query}`, { token: theirs });
      expect([other.status, await other.text()]).toEqual([none.status, await none.text()]);
      expect(other.status).toBe(404);
    }
    expect((await bench.ask(path, { method: 'HEAD', token: theirs })).status).toBe(404);
    expect((await bench.ask(path, { method: 'DELETE', token: theirs })).status).toBe(204);
    expect((await bench.ask(path, { token: mine })).status).toBe(200);
    const same = await bench.create('/', { token: theirs, headers: { 'idempotency-key': 'same' } });
    expect([same.status, idOf(same) === idOf(created)]).toEqual([201, false]);
    expect(await refusal(await bench.ask(`${path}?expires=9999999999&signature=x`, { token: mine }))).toBe(
      '401 SIGNATURE_INVALID',
    );
    await bench.stop();
  });
});
