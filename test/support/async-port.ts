/**
 * Exposes a synchronous engine as its asynchronous port: each call runs in its own turn, and a throw becomes a
 * rejection.
 */
import type { SyncPort } from '../../src/stores/sqlite/sync-port.js';

export function asyncPort<Port extends object>(engine: SyncPort<Port>): Port {
  return new Proxy(engine, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return async (...args: unknown[]) => method.apply(target, args);
    },
  }) as unknown as Port;
}

/** The same port with some methods replaced, to record a call, hold it up or have it fail. */
export function withMethods<Port extends object>(port: Port, methods: Partial<Port>): Port {
  return Object.assign(Object.create(port) as Port, methods);
}
