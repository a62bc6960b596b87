/** The types of the dashboard's client match the API document that the server sends. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { dashboardTypes, SCHEMA_FILE } from '../../scripts/write-dashboard-types.mjs';
import { serveForTest } from '../support/serve.js';

test('the types are up to date; `node scripts/write-dashboard-types.mjs` writes them', async () => {
  const server = await serveForTest();
  try {
    const document = await (await fetch(`${server.url}/openapi.json`)).json();
    expect(readFileSync(SCHEMA_FILE, 'utf8')).toBe(await dashboardTypes(document));
  } finally {
    await server.stop();
  }
});
