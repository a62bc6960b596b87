/** DELETE: stops the upstream and removes the stream. Succeeds if the stream is missing or not the caller's. */
import { asSondeError } from '../errors.js';
import type { StreamResponse } from '../streams/index.js';
import { findProxy } from './find-proxy.js';
import type { ProxyDeps } from './proxy-deps.js';
import { streamIdOfProxy } from './proxy-metadata.js';

const GONE: StreamResponse = { status: 204, headers: {} };

export async function deleteProxy(deps: ProxyDeps, id: string, tenant: string): Promise<StreamResponse> {
  try {
    await findProxy(deps, id, tenant);
    const streamId = streamIdOfProxy(id);
    await deps.pumps.stop(streamId);
    await Promise.all([deps.streams.removeOwn(streamId), deps.store.dropAttempts(id)]);
  } catch (thrown) {
    if (asSondeError(thrown).code !== 'STREAM_NOT_FOUND') throw thrown;
  }
  return GONE;
}
