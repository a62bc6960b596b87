/**
 * Hosts a synchronous store in a Durable Object: its port, whose promises resolve once what was written is
 * durable. A call is one transaction. What is read is shown only when everything written before it is durable too,
 * because a response that streams may leave earlier than the platform's own gate would let it.
 */
import type { SyncPort } from '../../../stores/sqlite/sync-port.js';
import { objectFault } from './object-faults.js';

export interface EngineHooks<Port> {
  readonly reading: ReadonlySet<keyof Port>;
  /** In the transaction, after the call. */
  flush?(): void;
  /** The transaction was undone. */
  forget?(): void;
  /** In the same turn as the write, and so in the same commit. */
  onWritten?(result: unknown, method: keyof Port): void;
}

export function hostEngine<Port extends object>(
  storage: DurableObjectStorage,
  engine: SyncPort<Port>,
  hooks: EngineHooks<Port>,
): Port {
  let unsynced = 0;
  const write = async (call: () => unknown, name: keyof Port): Promise<unknown> => {
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
    hooks.onWritten?.(result, name);
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
  return new Proxy(engine, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return undefined;
      const run = hooks.reading.has(name as keyof Port) ? read : write;
      return (...args: unknown[]) => run(() => method.apply(target, args), name as keyof Port);
    },
  }) as unknown as Port;
}
