/**
 * The store's port inside the object of one stream. Calls for its own stream run here; calls for other streams
 * (ancestors, forks) go to the objects of those streams. Scans cover only this object.
 */
import type { StreamStore } from '../../../streams/index.js';
import { unwrap } from '../wire-faults.js';
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
    chunks: (stream, from, until) => of(stream.id).chunks(stream, from, until),
    readHot: (stream, span) => of(stream.id).readHot(stream, span),
    arrivals: (stream, span, max) => of(stream.id).arrivals(stream, span, max),
    listPage: (query) => own.listPage(query),
    markCold: (stream, chunk) => of(stream.id).markCold(stream, chunk),
    touch: (stream, at) => of(stream.id).touch(stream, at),
    remove: (stream) => of(stream.id).remove(stream),
    addFork: (source, fork) => of(source.id).addFork(source, fork),
    removeFork: (source, fork) => of(source.id).removeFork(source, fork),
    forks: (source) => of(source.id).forks(source),
    markCorrupt: (stream, from) => of(stream.id).markCorrupt(stream, from),
    unsealed: (limit) => own.unsealed(limit),
    expired: (now, limit) => own.expired(now, limit),
    softDeleted: (after, limit) => own.softDeleted(after, limit),
    list: (after, limit) => own.list(after, limit),
  };
}

export function remoteStore(object: HotBufferRpc): StreamStore {
  return new Proxy({} as StreamStore, {
    get:
      (_target, method) =>
      (...args: unknown[]) =>
        unwrap(object.storeCall(method as keyof StreamStore, args)),
  });
}
