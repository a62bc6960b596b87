/**
 * Hosts a synchronous store in a Durable Object. It returns the store's port, whose promises resolve once all writes
 * are durable. A call is one transaction. A read also resolves only when all earlier writes are durable, because a
 * streamed response may bypass the platform's output gate.
 */
import { wrapMethods } from '../../../port-methods.js';
import type { SyncPort } from '../../../stores/sqlite/sync-port.js';
import { objectFault } from './object-faults.js';

export interface EngineHooks<Port> {
  readonly reading: ReadonlySet<keyof Port>;
  /** Called in the transaction, after the call. */
  flush?(): void;
  /** Called after a rollback. */
  forget?(): void;
  /** Called in the same turn as the write, and so part of the same commit. */
  onWritten?(result: unknown, method: keyof Port): void;
}

export function hostEngine<Port extends object>(
  storage: DurableObjectStorage,
  engine: SyncPort<Port>,
  hooks: EngineHooks<Port>,
): Port {
  let unsynced = 0;
  const write = async (call: () => unknown, method: keyof Port): Promise<unknown> => {
    let result: unknown;
    try {
      result = storage.transactionSync(() => {
        const given = call();
        hooks.flush?.();
        return given;
      });
    } catch (error) {
      hooks.forget?.();
      throw objectFault(error);
    }
    hooks.onWritten?.(result, method);
    unsynced++;
    try {
      await storage.sync();
    } catch (error) {
      throw objectFault(error);
    } finally {
      unsynced--;
    }
    return result;
  };
  const read = async (call: () => unknown): Promise<unknown> => {
    const result = call();
    if (unsynced > 0) await storage.sync();
    return result;
  };
  return wrapMethods<Port>(engine, (call, name) => {
    const method = name as keyof Port;
    return hooks.reading.has(method) ? read(call) : write(call, method);
  });
}
