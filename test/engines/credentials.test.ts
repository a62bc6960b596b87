/**
 * A server verifies a credential once and recognises it from then on. Whatever ends the credential counts within a second
 * all the same, also if another process did it: the tenant is deleted, the keys change, or the token's time is over.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { mintToken } from '../../src/api/auth/mint-token.js';
import { openDatabase } from '../../src/runtimes/node/sqlite/open-database.js';
import { uuidV7 } from '../../src/uuid.js';
import { type BuiltServer, type BuiltServerOptions, startBuiltServer } from '../support/built-server.js';
import { FakeTime, removeFaketimeMemory } from '../support/fake-time.js';
import { newDatabase, runSql } from '../support/postgres-database.js';
import { openRecordsForTest } from '../support/serve.js';

const SECRET = 'the-secret-that-all-processes-share-here';
const SERVICE_TOKEN = 'the-service-token-of-the-tenant-acme';
const SCOPES = ['stream:read', 'stream:write'];
const DELETE_ACME = "DELETE FROM tenants WHERE slug = 'acme'";
const HOUR_S = 3_600;
const WITHIN_MS = 1_000;

afterAll(removeFaketimeMemory);

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-credentials-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function start(options: BuiltServerOptions): Promise<BuiltServer> {
  const server = await startBuiltServer({ auth: 'jwt', ...options });
  onTestFinished(() => server.kill());
  return server;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** The statuses of a list and of an append, which take different ways through the server. */
async function statuses({ url }: BuiltServer, token: string): Promise<readonly number[]> {
  const list = await fetch(`${url}/api/streams`, { headers: bearer(token) });
  const headers = { ...bearer(token), 'content-type': 'text/plain' };
  const put = await fetch(`${url}/v1/stream/kept`, { method: 'PUT', headers });
  const append = await fetch(`${url}/v1/stream/kept`, { method: 'POST', headers, body: 'x' });
  await Promise.all([list, put, append].map((response) => response.arrayBuffer()));
  return [list.status, append.status];
}

const ADMITTED = [200, 204];

test.each(['SQLite', 'PostgreSQL'])('on %s, a deleted tenant is refused on every process', async (engine) => {
  const databaseUrl = engine === 'PostgreSQL' ? await newDatabase() : undefined;
  const env = {
    SONDE_JWT_SECRET: SECRET,
    SONDE_SERVICE_TOKENS: JSON.stringify([{ token: SERVICE_TOKEN, tenant: 'acme', scopes: SCOPES }]),
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  };
  const folder = newFolder();
  const servers = [await start({ folder, env })];
  if (databaseUrl) servers.push(await start({ folder: newFolder(), env }));
  const stores = await openRecordsForTest(folder, databaseUrl === undefined ? {} : { databaseUrl });
  await stores.tenants.create({ id: uuidV7(Date.now()), slug: 'acme', name: 'Acme', quotas: {} });
  await stores.close();
  const tokens = [
    SERVICE_TOKEN,
    await mintToken({ secret: SECRET, tenant: 'acme', scopes: SCOPES, expiresInSeconds: HOUR_S }),
  ];
  const asked = () =>
    Promise.all(servers.flatMap((server) => tokens.map((token) => statuses(server, token))));
  const everywhere = (expected: readonly number[]) => servers.flatMap(() => tokens.map(() => expected));
  expect(await asked()).toEqual(everywhere(ADMITTED));

  if (databaseUrl) await runSql(databaseUrl, DELETE_ACME);
  else {
    const database = openDatabase(join(folder, 'records.db'), { shared: true });
    database.run(DELETE_ACME, []);
    database.close();
  }
  await pause(WITHIN_MS);
  expect(await asked()).toEqual(everywhere([403, 403]));
});

test('a key that leaves the file of keys verifies nothing any more', async () => {
  const folder = newFolder();
  const jwks = join(folder, 'keys.json');
  const [first, second] = [await issuer('first'), await issuer('second')];
  writeFileSync(jwks, JSON.stringify({ keys: [first.publicKey] }));
  const server = await start({ folder: join(folder, 'data'), args: ['--jwks', jwks] });
  expect([await statuses(server, first.token), await statuses(server, second.token)]).toEqual([
    ADMITTED,
    [401, 401],
  ]);
  writeFileSync(jwks, JSON.stringify({ keys: [second.publicKey] }));
  await pause(WITHIN_MS);
  expect([await statuses(server, first.token), await statuses(server, second.token)]).toEqual([
    [401, 401],
    ADMITTED,
  ]);
});

async function issuer(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const token = await new SignJWT({ tenant: 'default', scope: SCOPES.join(' ') })
    .setProtectedHeader({ alg: 'ES256', kid })
    .setExpirationTime('1h')
    .sign(privateKey);
  return { token, publicKey: { ...(await exportJWK(publicKey)), kid } };
}

test('a token counts while the clock is within its dates, whichever way the clock is set', async () => {
  const folder = newFolder();
  const time = new FakeTime(join(folder, 'time'));
  const server = await start({
    folder: join(folder, 'data'),
    env: { ...time.env, SONDE_JWT_SECRET: SECRET },
  });
  const seconds = Math.floor(Date.now() / 1000);
  const token = await new SignJWT({ tenant: 'default', scope: SCOPES.join(' '), nbf: seconds - HOUR_S })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime(seconds + HOUR_S)
    .sign(new TextEncoder().encode(SECRET));
  const at = async (offsetSeconds: number) => {
    time.set(offsetSeconds);
    // A preloaded clock reads its offset every 20 ms.
    await pause(50);
    return statuses(server, token);
  };
  expect(await at(0)).toEqual(ADMITTED);
  expect(await at(2 * HOUR_S)).toEqual([401, 401]);
  expect(await at(0)).toEqual(ADMITTED);
  expect(await at(-2 * HOUR_S)).toEqual([401, 401]);
  expect(await at(0)).toEqual(ADMITTED);
});
