/** The servers whose responses the matrix records, with a fixed state. */
import { signLoginCode } from '../../src/api/auth/signed-login-codes.js';
import { secretFiles } from '../../src/runtimes/node/server/secrets.js';
import { SCOPES } from '../../src/scopes.js';
import { ApiDocument } from '../support/api-fuzz/api-document.js';
import { type Listening, listenHttp } from '../support/listen.js';
import { JOB_OPTIONS } from '../support/serve.js';
import { AT_EDGE, serveRecords } from '../support/serve-engine.js';
import {
  ALLOWED_ORIGIN,
  credentialsFor,
  JWT_SECRET,
  LOCAL_CALLERS,
  PUBLIC_URL,
  SERVICE_TOKEN,
} from './credentials.js';
import type { World } from './part.js';
import { type Bench, BODY_BYTES_MAX, PROXY_BODY_BYTES_MAX, readUsual } from './record-matrix.js';
import { Client } from './send.js';

export interface OpenBench extends Bench {
  close(): Promise<void>;
}

export function listenAsUpstream(): Promise<Listening> {
  return listenHttp((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/html', 'x-build': '7' }).end('<title>A page</title>');
  });
}

/** At the edge, jobs stay as they are by a quota, elsewhere because no worker runs. */
const TENANTS = { stranger: {}, ...(AT_EDGE && { default: { jobsRunning: 0 } }) };

const options = (site: string) => ({
  bodyBytesMax: BODY_BYTES_MAX,
  sseMs: 60_000,
  net: { allowPrivate: [site] },
  proxy: {
    allow: [`private:${site}/*`],
    bodyBytesMax: PROXY_BODY_BYTES_MAX,
    routes: {
      keyed: { url: site, credential: 'env:KEY', private: true },
      narrow: { url: site, credential: 'env:KEY', private: true, paths: ['POST /v1/models'] },
      open: { url: site, credential: 'caller', private: true },
    },
    env: () => 'the-key-of-the-upstream',
  },
  jobs: { ...JOB_OPTIONS, concurrency: 0 },
});

/** Every caller has a credential; the tenant `stranger` exists besides `default`. */
export async function openBench(site: string, ratePerMinute = 0): Promise<OpenBench> {
  const served = await serveRecords(
    { tenants: TENANTS, pages: true },
    {
      ...options(site),
      ratePerMinute,
      auth: 'jwt',
      jwt: { secret: JWT_SECRET },
      publicUrl: PUBLIC_URL,
      serviceTokens: [{ token: SERVICE_TOKEN, tenant: 'default', scopes: ['admin'] }],
    },
  );
  const client = new Client(served.url, { keepAlive: !AT_EDGE });
  const { sessionKey } = AT_EDGE ? { sessionKey: JWT_SECRET } : await secretFiles(served.dataDir).auth();
  const loginCode = () =>
    signLoginCode(sessionKey, { tenant: 'default', scopes: new Set(SCOPES) }, Date.now());
  const newSession = async () => {
    const { headers } = await client.send({
      method: 'POST',
      path: '/api/session',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code: await loginCode() }),
    });
    return /sonde_session=([^;]*)/.exec(String(headers['set-cookie']))?.[1] ?? 'none';
  };
  const all = await credentialsFor(newSession);
  // The edge has no login.
  const callers = new Map([...all].filter(([name]) => !AT_EDGE || !name.includes('session')));
  const admin = await callers.get('admin')?.();
  const world = worldOf(client, { site, loginCode, headers: { authorization: `Bearer ${admin?.token}` } });
  return opened({ client, world, callers, stop: () => served.stop() });
}

/** Nobody needs a credential. */
export async function openLocalBench(site: string): Promise<OpenBench> {
  const served = await serveRecords(
    { tenants: TENANTS, pages: true },
    { ...options(site), auth: 'none', corsOrigin: [ALLOWED_ORIGIN] },
  );
  const client = new Client(served.url, { keepAlive: !AT_EDGE });
  const world = worldOf(client, { site, loginCode: async () => 'none', headers: {} });
  return opened({ client, world, callers: LOCAL_CALLERS, stop: () => served.stop() });
}

async function opened({
  client,
  world,
  callers,
  stop,
}: Pick<OpenBench, 'client' | 'world' | 'callers'> & { stop: () => Promise<void> }): Promise<OpenBench> {
  const { text } = await client.send({ method: 'GET', path: '/openapi.json' });
  return {
    client,
    world,
    callers,
    api: new ApiDocument(JSON.parse(text)),
    usual: await readUsual(client),
    async close() {
      client.close();
      await stop();
    },
  };
}

function worldOf(
  client: Client,
  { headers, ...rest }: Pick<World, 'site' | 'loginCode'> & { headers: Record<string, string> },
): World {
  let count = 0;
  const send: World['send'] = (method, path, { json, ...more } = {}) => {
    const sent = json === undefined ? more : { body: JSON.stringify(json) };
    const typed = json !== undefined && { 'content-type': 'application/json' };
    return client.send({ ...sent, method, path, headers: { ...typed, ...more.headers, ...headers } });
  };
  return {
    ...rest,
    unique: () => `n${++count}`,
    send,
    async ask(method, path, more) {
      const received = await send(method, path, more);
      if (received.status >= 300) throw new Error(`${method} ${path}: ${received.status} ${received.text}`);
      return received;
    },
  };
}
