/** The credentials of the matrix, by name. All but the last few of each list belong to the tenant `default`. */
import { mintToken } from '../../src/api/auth/mint-token.js';
import { TENANT_SCOPES } from '../../src/scopes.js';
import type { Credential } from './part.js';

export const JWT_SECRET = 'a-secret-for-the-tokens-of-the-access-matrix';
export const SERVICE_TOKEN = 'a-service-token-of-the-access-matrix-01234567';
/** The address of the server as its users know it: it is not only local. */
export const PUBLIC_URL = 'https://sonde.example.com';
const FOREIGN = 'https://elsewhere.example.com';

/** A credential that is made for each request, because a request can use it up. */
export type Maker = () => Promise<Made>;

export interface Made extends Credential {
  /** A bearer token, sent in the form that the operation takes. */
  readonly token?: string;
}

const grant = (
  scopes: readonly string[],
  more: { tenant?: string; routes?: string[]; paths?: string[] } = {},
) => mintToken({ secret: JWT_SECRET, tenant: 'default', scopes, expiresInSeconds: 3_600, ...more });

const signedElsewhere = () =>
  mintToken({ secret: `not-${JWT_SECRET}`, tenant: 'default', scopes: ['admin'], expiresInSeconds: 3_600 });

const expired = () =>
  mintToken({
    secret: JWT_SECRET,
    tenant: 'default',
    scopes: ['admin'],
    expiresInSeconds: 60,
    nowMs: Date.now() - 3_600_000,
  });

/** Sent with every body; the others only with the one that succeeds. */
export const ORDER: readonly string[] = [
  'none',
  'garbage',
  'no scopes',
  'admin',
  'another tenant',
  'operator',
  'session of a foreign page',
];

export async function credentialsFor(newSession: () => Promise<string>): Promise<ReadonlyMap<string, Maker>> {
  const made: [string, Maker][] = [];
  const add = (name: string, maker: Maker) => made.push([name, maker]);
  const addToken = async (name: string, minted: Promise<string>, more: Credential = {}) => {
    const token = await minted;
    add(name, async () => ({ token, ...more }));
  };
  const addSession = (name: string, headers: Readonly<Record<string, string>>) =>
    add(name, async () => ({ headers: { cookie: `sonde_session=${await newSession()}`, ...headers } }));
  add('none', async () => ({}));
  await addToken('garbage', Promise.resolve('garbage'));
  await addToken('expired', expired());
  await addToken('signed elsewhere', signedElsewhere());
  await addToken('a tenant that does not exist', grant(['admin'], { tenant: 'nobody' }));
  await addToken('no scopes', grant([]));
  for (const scope of TENANT_SCOPES) await addToken(scope, grant([scope]));
  await addToken('a route', grant(['proxy:create'], { routes: ['keyed', 'narrow'] }));
  await addToken('another route', grant(['proxy:create'], { routes: ['other'] }));
  await addToken(
    'a route and a path',
    grant(['proxy:create'], { routes: ['keyed'], paths: ['GET /v1/models'] }),
  );
  await addToken('another tenant', grant(['admin'], { tenant: 'stranger' }));
  await addToken('operator', mintToken({ secret: JWT_SECRET, operator: true, expiresInSeconds: 3_600 }));
  await addToken('service token', Promise.resolve(SERVICE_TOKEN));
  await addToken('admin from a foreign page', grant(['admin']), { headers: { origin: FOREIGN } });
  const query = `secret=${await grant(['admin'])}`;
  add('admin in the query', async () => ({ query }));
  addSession('session', { origin: PUBLIC_URL });
  addSession('session without an origin', {});
  addSession('session of a foreign page', { origin: FOREIGN });
  addSession('session across sites', { 'sec-fetch-site': 'cross-site' });
  addSession('session of another port', { 'sec-fetch-site': 'same-site' });
  addSession('session by a foreign link', {
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
  });
  addSession('session in a foreign frame', {
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'iframe',
  });
  addSession('session with a foreign referer', { referer: `${FOREIGN}/page` });
  add('an invalid session', async () => ({
    headers: { cookie: 'sonde_session=garbage', origin: PUBLIC_URL },
  }));
  add('garbage with a session', async () => ({
    token: 'garbage',
    headers: { cookie: `sonde_session=${await newSession()}`, origin: PUBLIC_URL },
  }));
  return new Map(made);
}

/** The allowed foreign origin of a server without authentication. */
export const ALLOWED_ORIGIN = 'https://allowed.example.com';

/** The callers of a server without authentication. */
export const LOCAL_CALLERS: ReadonlyMap<string, Maker> = new Map(
  Object.entries<Credential>({
    'a client': {},
    'a client with garbage': { headers: { authorization: 'Bearer garbage' } },
    'a foreign page': { headers: { origin: FOREIGN } },
    'an allowed page': { headers: { origin: ALLOWED_ORIGIN } },
    'a page across sites': { headers: { 'sec-fetch-site': 'cross-site' } },
    'a foreign link': {
      headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    },
    'a foreign frame': {
      headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    },
    'a foreign referer': { headers: { referer: `${FOREIGN}/page` } },
    'a name that is not local': { headers: { host: 'sonde.example.com' } },
  }).map(([name, credential]) => [name, async () => credential]),
);
