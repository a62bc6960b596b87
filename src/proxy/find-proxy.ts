/** Finds a proxied stream of a tenant. For everyone else it does not exist. */
import { SondeError } from '../errors.js';
import type { StreamState } from '../streams/index.js';
import { isUuid } from '../uuid.js';
import type { ProxyDeps } from './proxy-deps.js';
import { readMetadata, streamIdOfProxy } from './proxy-metadata.js';

/** `tenant` is null for the holder of a signed URL. */
export async function findProxy(deps: ProxyDeps, id: string, tenant: string | null): Promise<StreamState> {
  const state = isUuid(id) ? await deps.streams.find(streamIdOfProxy(id)) : undefined;
  if (state && (tenant === null || readMetadata(state).tenant === tenant)) return state;
  throw new SondeError('STREAM_NOT_FOUND', 'Stream not found.');
}
