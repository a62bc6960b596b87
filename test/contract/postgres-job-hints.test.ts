import { expect, onTestFinished, test } from 'vitest';
import type { JobHint } from '../../src/jobs/job-store.js';
import { openPostgres } from '../../src/runtimes/node/postgres/open-postgres.js';
import { createPostgresHints } from '../../src/stores/postgres/postgres-job-hints.js';
import { uuidV7 } from '../../src/uuid.js';
import { keepingLog } from '../support/keeping-log.js';
import { newDatabase, runSql } from '../support/postgres-database.js';

test('hints are what other processes announce, and a lost connection may have missed some', async () => {
  const url = await newDatabase();
  const database = openPostgres({ url, log: keepingLog() });
  onTestFinished(() => database.close());
  const hints: JobHint[] = [];
  const unsubscribe = await createPostgresHints(database).subscribe((hint) => void hints.push(hint));
  const announce = (payload: string) => runSql(url, 'SELECT pg_notify($1, $2)', ['sonde_jobs', payload]);
  const jobId = uuidV7(Date.now());
  for (const payload of ['cancel', 'cancel everything', 'other', '', `cancel ${jobId}`])
    await announce(payload);
  await expect.poll(() => hints).toEqual([{ kind: 'cancel', jobId }]);
  await announce('ready');
  await expect.poll(() => hints.slice(1)).toEqual([{ kind: 'ready' }]);
  await runSql(
    url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND query ILIKE 'listen %'`,
  );
  await expect.poll(() => hints.slice(2)).toEqual([{ kind: 'ready' }]);
  await unsubscribe();
});
