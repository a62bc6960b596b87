import { SondeError } from '../../src/errors.js';
import { forwardMethods, methodNames } from '../../src/port-methods.js';
import type { ProxyStore } from '../../src/proxy/index.js';
import { BatchRunner } from '../../src/runtimes/node/sqlite/batch-runner.js';
import { type OpenDatabase, openDatabase } from '../../src/runtimes/node/sqlite/open-database.js';
import type { StoreCall } from '../../src/runtimes/node/sqlite/store-messages.js';
import { SqliteProxyStore } from '../../src/stores/sqlite/sqlite-proxy-store.js';
import { SqliteStreamStore } from '../../src/stores/sqlite/sqlite-stream-store.js';
import type { StreamStore } from '../../src/streams/index.js';

/** What happens at the commit port; a test can make a commit fail. */
export interface CommitPort {
  onCommit(): void;
}

export interface InlineStore {
  readonly store: StreamStore;
  readonly proxy: ProxyStore;
  close(): void;
}

/** Opens the real stores and the real batch runner in this thread, so that a test can intercept each commit. */
export function openInlineStore(path: string, port: CommitPort): InlineStore {
  const database = openDatabase(path);
  const guarded: OpenDatabase = {
    ...database,
    commit() {
      port.onCommit();
      database.commit();
    },
  };
  const stores = { streams: new SqliteStreamStore(database), proxy: new SqliteProxyStore(database) };
  const runner = new BatchRunner(guarded, stores);
  const run = async (call: StoreCall) => {
    const [result] = runner.run([call]);
    if (result && 'value' in result) return result.value as never;
    throw new SondeError(result?.fault.code ?? 'INTERNAL', result?.fault.message ?? 'no result');
  };
  const store = forwardMethods<StreamStore>(methodNames(stores.streams), (method, args) =>
    run({ method, args }),
  );
  const proxy = forwardMethods<ProxyStore>(methodNames(stores.proxy), (method, args) =>
    run({ store: 'proxy', method, args }),
  );
  return { store, proxy, close: () => database.close() };
}
