import type { Quotas } from '../../src/jobs/index.js';
import { uuidV7 } from '../../src/uuid.js';
import { newDatabase } from './postgres-database.js';
import { openRecordsForTest, type ServedForTest, serveForTest, type TestOptions } from './serve.js';
import { edgeVariablesOf, serveEdgeForTest } from './serve-edge.js';

export const AT_EDGE = process.env['SONDE_TEST_ENGINE'] === 'edge';

/** Starts the engine that this test project runs against, with the same options for each. */
export function serveEngine(options: TestOptions = {}): Promise<ServedForTest> {
  return AT_EDGE
    ? serveEdgeForTest(edgeVariablesOf(options), { dataDir: options.dataDir })
    : serveForTest(options);
}

/** Where records are stored, by name: the database to use, or undefined for the data folder. */
export const RECORD_ENGINES: readonly (readonly [string, () => Promise<string | undefined>])[] = AT_EDGE
  ? [['objects', async () => undefined]]
  : [
      ['sqlite', async () => undefined],
      ['postgres', () => newDatabase()],
    ];

export interface TenantsServed {
  readonly databaseUrl?: string | undefined;
  /** Tenants besides `default`, each with its changes to the default quotas. */
  readonly tenants?: Readonly<Record<string, Partial<Quotas>>>;
  /** Whether the edge has its landing page, icon and dashboard too. */
  readonly pages?: boolean;
}

/** Starts the same with records in a new database, and with tenants created like an operator does. */
export async function serveRecords(
  { databaseUrl, tenants = {}, pages = false }: TenantsServed,
  options: TestOptions,
): Promise<ServedForTest> {
  if (AT_EDGE) {
    const variables = {
      SONDE_TENANTS: Object.keys(tenants).join(','),
      SONDE_TENANT_QUOTAS: JSON.stringify(tenants),
    };
    return serveEdgeForTest({ ...variables, ...edgeVariablesOf(options) }, { pages });
  }
  const jobs = {
    pollMs: 100,
    ...options.jobs,
    ...(databaseUrl !== undefined && { databaseUrl }),
  };
  const served = await serveForTest({ ...options, jobs });
  const stores = await openRecordsForTest(served.dataDir, jobs);
  for (const [slug, quotas] of Object.entries(tenants)) {
    await stores.tenants.create({ id: uuidV7(Date.now()), slug, name: slug, quotas });
  }
  await stores.close();
  return served;
}
