/** Job hints by LISTEN/NOTIFY. After a lost connection it hints `ready`, because notifications may have been missed. */
import type { JobHints } from '../../jobs/index.js';
import { isUuid } from '../../uuid.js';
import type { PgDatabase } from './pg-database.js';

const CHANNEL = 'sonde_jobs';

export function createPostgresHints(database: PgDatabase): JobHints {
  return {
    subscribe: (onHint) =>
      database.listen(CHANNEL, {
        onPayload(payload) {
          const [kind, jobId = ''] = payload.split(' ');
          if (kind === 'ready') onHint({ kind: 'ready' });
          else if (kind === 'cancel' && isUuid(jobId)) onHint({ kind: 'cancel', jobId });
        },
        onGap: () => onHint({ kind: 'ready' }),
      }),
  };
}
