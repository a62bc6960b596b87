/**
 * An object's storage that can be made to fail as full. A transaction then runs, is rolled back and fails with SQLite's
 * own message, as when a page finds no room. A commit that fails later is reported by `sync` and costs the object its
 * memory, because the platform resets an object whose writes it could not store.
 */
type Fullness = 'none' | 'in transactions' | 'at commits';

/** Objects and the Worker share this memory. */
let fullness: Fullness = 'none';

export function setFullness(named: string | null): void {
  fullness = named === 'in transactions' || named === 'at commits' ? named : 'none';
}

const full = () => new Error('database or disk is full: SQLITE_FULL');

export function fillable(ctx: DurableObjectState): DurableObjectState {
  const { storage } = ctx;
  const transactionSync = storage.transactionSync.bind(storage);
  const sync = storage.sync.bind(storage);
  Object.defineProperties(storage, {
    transactionSync: {
      value: <T>(work: () => T): T =>
        transactionSync(() => {
          const result = work();
          if (fullness === 'in transactions') throw full();
          return result;
        }),
    },
    sync: {
      value: async () => {
        if (fullness === 'at commits') {
          ctx.abort('the platform could not keep what was written');
          throw full();
        }
        await sync();
      },
    },
  });
  if (ctx.storage !== storage) throw new Error('an object has more than one storage');
  return ctx;
}
