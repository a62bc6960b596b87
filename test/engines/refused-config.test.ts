/** A refused configuration must leave no trace, because migrations cannot be undone. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { serveForTest, type TestOptions } from '../support/serve.js';

const folder = mkdtempSync(join(tmpdir(), 'sonde-refused-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const REFUSED: readonly (readonly [string, TestOptions])[] = [
  [
    'a route without a credential',
    {
      auth: 'jwt',
      proxy: { allow: [], routes: { up: { url: 'https://a.example' } }, env: () => undefined },
    },
  ],
  ['an invalid allowlist pattern', { proxy: { allow: ['not a url'], routes: {}, env: () => undefined } }],
  [
    'a JWKS together with a secret',
    { auth: 'jwt', jwt: { secret: 'x'.repeat(40), loadJwks: async () => ({ keys: [] }) } },
  ],
];

/** Nothing listens there, so opening the database first would fail with another error. */
const databaseUrl = 'postgres://nobody@127.0.0.1:1/none';

test.each(REFUSED)('%s is refused before any database is opened', async (_name, options) => {
  for (const jobs of [{}, { databaseUrl }]) {
    await expect(serveForTest({ ...options, jobs, dataDir: folder })).rejects.toMatchObject({
      code: 'CONFIG_INVALID_VALUE',
    });
  }
  expect(readdirSync(folder).filter((name) => name.endsWith('.db'))).toEqual([]);
});
