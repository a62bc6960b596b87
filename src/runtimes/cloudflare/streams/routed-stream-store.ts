/**
 * The store's port inside the object of one stream. Calls for its own stream run here; calls for other streams
 * (ancestors, forks) go to the objects of those streams. Scans cover only this object.
 */
import { forwardMethods, methodNames } from '../../../port-methods.js';
import type { StreamStore } from '../../../streams/index.js';
import { unwrap } from '../wire-faults.js';
import type { HotBufferRpc } from './hot-buffer-rpc.js';
import { idIn } from './wire-calls.js';

export interface Routes {
  isOwn(id: string): boolean;
  reach(id: string): HotBufferRpc;
}

const SCANS: ReadonlySet<keyof StreamStore> = new Set([
  'listPage',
  'unsealed',
  'expired',
  'softDeleted',
  'list',
] as const);

export function routeStreamStore(own: StreamStore, { isOwn, reach }: Routes): StreamStore {
  return forwardMethods<StreamStore>(methodNames(own), (name, args) => {
    const method = name as keyof StreamStore;
    const id = idIn(args[0]);
    if (!SCANS.has(method) && !isOwn(id)) return unwrap(reach(id).storeCall(method, args));
    return (own[method] as (...args: readonly unknown[]) => Promise<unknown>)(...args);
  });
}
