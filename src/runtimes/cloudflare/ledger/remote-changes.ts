/** The feed of changes as the Worker's app has it: its readers wait in the tenant's object, which is notified of everything. */
import type { ChangePage, ChangeSource } from '../../../api/changes/change.js';
import type { EdgeEnv } from '../edge-env.js';
import { received } from '../wire-faults.js';
import { ledgerOf } from './ledger-rpc.js';

export function createRemoteChanges(env: EdgeEnv): ChangeSource {
  return {
    async page({ id, slug }, { after, signal }) {
      const page = received(ledgerOf(env, slug).changes(id, after));
      let leave: () => void = () => undefined;
      const gone = new Promise<ChangePage>((resolve) => {
        leave = () => resolve({ reset: false, changes: [], last: after ?? '' });
        signal.addEventListener('abort', leave, { once: true });
      });
      try {
        return await Promise.race([gone, page]);
      } finally {
        signal.removeEventListener('abort', leave);
        // No longer awaited once its reader has left.
        page.catch(() => {});
      }
    },
  };
}
