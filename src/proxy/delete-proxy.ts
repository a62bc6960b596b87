/** DELETE: stops the upstream and removes the stream. A stream that is not there, or not the caller's, is gone already. */
import { SondeError } from '../errors.js';
import type { StreamAnswer } from '../streams/index.js';
import { findProxy } from './find-proxy.js';
import { streamIdOfProxy } from './proxy-metadata.js';
import type { ProxyParts } from './proxy-parts.js';

const GONE: StreamAnswer = { status: 204, headers: {} };

export async function deleteProxy(parts: ProxyParts, id: string, tenant: string): Promise<StreamAnswer> {
  try {
    await findProxy(parts, id, tenant);
    const streamId = streamIdOfProxy(id);
    await parts.pumps.stop(streamId);
    await parts.streams.removeOwn(streamId);
  } catch (thrown) {
    if (!(thrown instanceof SondeError && thrown.code === 'STREAM_NOT_FOUND')) throw thrown;
  }
  return GONE;
}
