/** The change feed for the Worker. Its readers wait in the tenant's object, which is notified of all changes. */
import type { ChangePage, ChangeSource } from '../../../api/changes/change.js';
import type { EdgeEnv } from '../edge-env.js';
import { unwrap } from '../wire-faults.js';
import { ledgerOf } from './ledger-rpc.js';

export function createRemoteChanges(env: EdgeEnv): ChangeSource {
  return {
    async page({ id, slug }, { after, signal }) {
      const page = unwrap(ledgerOf(env, slug).changes(id, after));
      let leave: () => void = () => undefined;
      const gone = new Promise<ChangePage>((resolve) => {
        leave = () => resolve({ reset: false, changes: [], last: after ?? '' });
        signal.addEventListener('abort', leave, { once: true });
      });
      try {
        return await Promise.race([gone, page]);
      } finally {
        signal.removeEventListener('abort', leave);
        // If the reader has left, the page is not awaited; its rejection must still be handled.
        page.catch(() => {});
      }
    },
  };
}
