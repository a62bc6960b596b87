import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { uniqueKey } from '../../../jobs/index.js';
import { createRecordStores } from '../../../stores/sqlite/record-stores.js';
import { openDatabase } from '../../node/sqlite/open-database.js';
import { isWorkedAt } from './comparison-work.js';

const PAIR = 'a'.repeat(40);
const TENANT = 'acme';
const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

test('a comparison is worked on while its own job or its suite runs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-comparison-work-'));
  const database = openDatabase(join(folder, 'records.db'));
  try {
    const { jobs, tenants, suites } = createRecordStores(database, () => 1_000);
    tenants.create({ id: TENANT, slug: TENANT, name: TENANT, quotas: {} });
    const own = `${PAIR}:${uuid(1)}`;
    const path = `${PAIR}:${uuid(2)}`;
    expect([own, path].map((id) => isWorkedAt(database, id))).toEqual([false, false]);
    const job = {
      jobId: uuid(1),
      tenantId: TENANT,
      kind: 'compare',
      payload: {},
      idempotencyKey: uniqueKey(uuid(1)),
    } as const;
    jobs.enqueue([{ ...job, maxAttempts: 3 }]);
    const key = { tenantId: TENANT, suiteId: uuid(3) };
    const sides = { leftUrl: 'l', rightUrl: 'r', leftSealed: null, rightSealed: null };
    suites.createSuite({ ...key, ...sides, optionsJson: '{}' });
    suites.planSuite({
      ...key,
      paths: [{ path: '/', comparisonId: path }],
      findingsJson: '[]',
      notesJson: '[]',
    });
    expect([own, path].map((id) => isWorkedAt(database, id))).toEqual([true, true]);
    jobs.cancel(TENANT, uuid(1));
    suites.endSuite({ ...key, error: null });
    expect([own, path].map((id) => isWorkedAt(database, id))).toEqual([false, false]);
  } finally {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
