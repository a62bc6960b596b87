import { expect, test } from 'vitest';
import type { JobHint } from '../../jobs/job-store.js';
import type { PgDatabase } from './pg-database.js';
import { createPostgresHints } from './postgres-job-hints.js';

type Handlers = Parameters<PgDatabase['listen']>[1];

test('passes on what other processes announce, and ignores what it does not understand', async () => {
  const handlers: Handlers[] = [];
  const database = {
    listen: async (_channel: string, given: Handlers) => {
      handlers.push(given);
      return async () => {};
    },
  } as unknown as PgDatabase;
  const hints: JobHint[] = [];
  await createPostgresHints(database).subscribe((hint) => void hints.push(hint));
  const jobId = '0190a6d2-7c3e-7b6a-9c1d-1f2e3d4c5b6a';
  for (const payload of ['ready', `cancel ${jobId}`, 'cancel', 'cancel everything', 'other', ''])
    handlers[0]?.onPayload(payload);
  handlers[0]?.onGap();
  expect(hints).toEqual([{ kind: 'ready' }, { kind: 'cancel', jobId }, { kind: 'ready' }]);
});
