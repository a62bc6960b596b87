/** The change feed for the Worker. Its readers wait in the tenant's object, which is notified of all changes. */
import type { ChangePage, ChangeSource } from '../../../api/changes/change.js';
import type { EdgeEnv } from '../edge-env.js';
import { unlessGone, unwrap } from '../wire-faults.js';
import { ledgerOf } from './ledger-rpc.js';

export function createRemoteChanges(env: EdgeEnv): ChangeSource {
  return {
    page({ id, slug }, { after, signal }) {
      const nothing: ChangePage = { reset: false, changes: [], last: after ?? '' };
      return unlessGone(unwrap(ledgerOf(env, slug).changes(id, after)), signal, nothing);
    },
  };
}
