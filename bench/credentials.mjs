// The credentials of the benchmarks: what a server must be started with to accept one, and what a request carries.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

const JWT_SECRET = 'the-secret-of-the-benchmarks-in-40-bytes';
const SERVICE_TOKEN = 'the-service-token-of-the-benchmarks';
const SCOPES = ['stream:read', 'stream:write', 'proxy:create', 'audit:read', 'compare:read'];
const CLAIMS = { tenant: 'default', scope: SCOPES.join(' '), routes: ['up'] };
const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** The server knows 100 service tokens; the last of them is used. */
const SERVICE_TOKENS = Array.from({ length: 100 }, (_, n) => ({
  token: n === 99 ? SERVICE_TOKEN : `the-service-token-of-somebody-else-${n}`,
  tenant: CLAIMS.tenant,
  scopes: SCOPES,
  routes: CLAIMS.routes,
}));

export const OPEN_SERVER = ['--auth', 'none'];
export const SECRET_SERVER = [
  ...['--auth', 'jwt', '--jwt-secret', JWT_SECRET],
  ...['--service-tokens', JSON.stringify(SERVICE_TOKENS)],
];

/** @typedef {{ name: string, serverArgs: string[], bearer?: string, headers?: Record<string, string> }} Credential */

export const hs256Token = () => sign('HS256', new TextEncoder().encode(JWT_SECRET));

/** @param {string} folder for the file with public keys @returns {Promise<Credential[]>} */
export async function allCredentials(folder) {
  const jwks = join(folder, 'jwks.json');
  const keyServer = ['--auth', 'jwt', '--jwks', jwks];
  const [es256, eddsa] = [await generateKeyPair('ES256'), await generateKeyPair('EdDSA')];
  const publicKeys = [
    { ...(await exportJWK(es256.publicKey)), kid: 'ES256', alg: 'ES256' },
    { ...(await exportJWK(eddsa.publicKey)), kid: 'EdDSA', alg: 'EdDSA' },
  ];
  writeFileSync(jwks, JSON.stringify({ keys: publicKeys }));
  return [
    { name: 'none', serverArgs: OPEN_SERVER },
    { name: 'traceparent', serverArgs: OPEN_SERVER, headers: { traceparent: TRACEPARENT } },
    { name: 'hs256', serverArgs: SECRET_SERVER, bearer: await hs256Token() },
    { name: 'es256', serverArgs: keyServer, bearer: await sign('ES256', es256.privateKey) },
    { name: 'eddsa', serverArgs: keyServer, bearer: await sign('EdDSA', eddsa.privateKey) },
    { name: 'service-token', serverArgs: SECRET_SERVER, bearer: SERVICE_TOKEN },
  ];
}

/** @param {string} alg @param {Parameters<SignJWT['sign']>[0]} key */
function sign(alg, key) {
  return new SignJWT(CLAIMS).setProtectedHeader({ alg, kid: alg }).setExpirationTime('1d').sign(key);
}
