/**
 * The lives of streams. Each create starts a new life with a unique id. A stream that is deleted and created again
 * under the same stream id has a new life and shares nothing with the first.
 */
import { SondeError } from '../errors.js';
import { uuidV7 } from '../uuid.js';
import type { StreamKey, StreamState, StreamStore } from './stream-store.js';

export function newLife(nowMs: number): string {
  return uuidV7(nowMs);
}

export function keyOf({ id, life }: StreamKey): StreamKey {
  return { id, life };
}

export async function refresh(store: StreamStore, stream: StreamKey): Promise<StreamState | undefined> {
  const state = await store.get(stream.id);
  return state?.life === stream.life ? state : undefined;
}

export async function isCurrent(store: StreamStore, stream: StreamKey): Promise<boolean> {
  return (await refresh(store, stream)) !== undefined;
}

export function notFound(): SondeError {
  return new SondeError('STREAM_NOT_FOUND', 'stream not found');
}
