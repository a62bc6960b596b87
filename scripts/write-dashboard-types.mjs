// Writes dashboard/src/api/schema.d.ts from the OpenAPI document of the built server: the operations that the dashboard
// calls, with their successful responses. `npm run check:types` runs it; without a newer source it does nothing.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, haveSourcesChanged, isStale } from './build.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const SCHEMA_FILE = join(root, 'dashboard/src/api/schema.d.ts');

/** Bodies of other paths are bytes; the dashboard reads them without this client. */
const TYPED = /^\/api\//;
const HEADING = '// Written by scripts/write-dashboard-types.mjs from the OpenAPI document. Do not edit.\n\n';

/** @typedef {{ paths: Record<string, Record<string, { responses?: Record<string, unknown> }>>, components: object }} Document */

/** @param {Document} document @returns {Promise<string>} */
async function dashboardTypes(document) {
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  const paths = Object.fromEntries(
    Object.entries(document.paths)
      .filter(([path]) => TYPED.test(path))
      .map(([path, item]) => [path, successful(item)]),
  );
  const used = /** @type {Parameters<typeof openapiTS>[0]} */ (
    /** @type {unknown} */ ({ ...document, paths })
  );
  return HEADING + astToString(await openapiTS(used, { alphabetize: true }));
}

/** @param {Document['paths'][string]} item */
function successful(item) {
  return Object.fromEntries(
    Object.entries(item).map(([method, operation]) => [
      method,
      {
        ...operation,
        responses: Object.fromEntries(
          Object.entries(operation.responses ?? {}).filter(([status]) => status.startsWith('2')),
        ),
      },
    ]),
  );
}

/** Returns the OpenAPI document that a server sends. @returns {Promise<Document>} */
export async function documentOfBuiltServer() {
  const data = mkdtempSync(join(tmpdir(), 'sonde-types-'));
  const program = join(root, 'dist', 'sonde.js');
  const child = spawn(
    process.execPath,
    [program, 'serve', '--port', '0', '--auth', 'none', '--data', data, '--json', '--log-level', 'error'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const { url } = JSON.parse(line);
      return await (await fetch(`${url}/openapi.json`)).json();
    }
    throw new Error('the server did not start');
  } finally {
    child.kill();
    rmSync(data, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (haveSourcesChanged(SCHEMA_FILE, ['scripts/write-dashboard-types.mjs'])) {
    if (isStale()) await build();
    writeFileSync(SCHEMA_FILE, await dashboardTypes(await documentOfBuiltServer()));
  }
}
