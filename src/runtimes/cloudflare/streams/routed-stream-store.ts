/**
 * The store's port as the object of one stream has it: its own stream here, every other (an ancestor, a fork) in
 * that stream's own object. Scans see what is here.
 */
import type { StreamStore } from '../../../streams/index.js';
import { received } from '../wire-faults.js';
import type { HotBufferRpc } from './hot-buffer-rpc.js';

export interface Routes {
  isOwn(id: string): boolean;
  reach(id: string): HotBufferRpc;
}

export function routeStreamStore(own: StreamStore, { isOwn, reach }: Routes): StreamStore {
  const of = (id: string): StreamStore => (isOwn(id) ? own : remoteStore(reach(id)));
  return {
    create: (stream) => of(stream.id).create(stream),
    get: (id) => of(id).get(id),
    append: (id, input) => of(id).append(id, input),
    chunks: (id, from, until) => of(id).chunks(id, from, until),
    readHot: (id, span) => of(id).readHot(id, span),
    markCold: (id, chunk, hash) => of(id).markCold(id, chunk, hash),
    touch: (id, at) => of(id).touch(id, at),
    softDelete: (id) => of(id).softDelete(id),
    remove: (id) => of(id).remove(id),
    addFork: (id, forkId) => of(id).addFork(id, forkId),
    removeFork: (id, forkId) => of(id).removeFork(id, forkId),
    forks: (id) => of(id).forks(id),
    markCorrupt: (id, from) => of(id).markCorrupt(id, from),
    unsealed: (limit) => own.unsealed(limit),
    expired: (now, limit) => own.expired(now, limit),
    list: (after, limit) => own.list(after, limit),
  };
}

export function remoteStore(object: HotBufferRpc): StreamStore {
  return new Proxy({} as StreamStore, {
    get:
      (_target, method) =>
      (...args: unknown[]) =>
        received(object.storeCall(method as keyof StreamStore, args)),
  });
}
