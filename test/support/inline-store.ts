import { SondeError } from '../../src/errors.js';
import { BatchRunner } from '../../src/runtimes/node/sqlite/batch-runner.js';
import { type OpenDatabase, openDatabase } from '../../src/runtimes/node/sqlite/open-database.js';
import type { StoreMethod } from '../../src/runtimes/node/sqlite/store-messages.js';
import { SqliteStreamStore } from '../../src/stores/sqlite/sqlite-stream-store.js';
import type { StreamStore } from '../../src/streams/index.js';

/** What happens at the commit port; a test may make a commit fail. */
export interface CommitPort {
  onCommit(): void;
}

/** The real store and the real batch runner in this thread, so that a test can stand at the commit itself. */
export function openInlineStore(path: string, port: CommitPort): { store: StreamStore; close(): void } {
  const database = openDatabase(path);
  const guarded: OpenDatabase = {
    ...database,
    commit() {
      port.onCommit();
      database.commit();
    },
  };
  const runner = new BatchRunner(guarded, { streams: new SqliteStreamStore(database) });
  const call =
    (method: StoreMethod) =>
    async (...args: unknown[]) => {
      const [result] = runner.run([{ method, args }]);
      if (result && 'value' in result) return result.value as never;
      throw new SondeError(result?.fault.code ?? 'INTERNAL', result?.fault.message ?? 'no result');
    };
  const store = new Proxy({} as StreamStore, { get: (_target, method) => call(method as StoreMethod) });
  return { store, close: () => database.close() };
}
