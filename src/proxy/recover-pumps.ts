/**
 * Ends what the pumps of an earlier run left open, before anyone is answered: their upstreams are gone, and a
 * reader must not wait for them. May be cut off and repeated.
 */
import { endedMetadata, readMetadata } from './proxy-metadata.js';
import type { ProxyParts } from './proxy-parts.js';
import { failed } from './upstream-outcome.js';

const BATCH = 256;

export async function recoverPumps(parts: ProxyParts): Promise<number> {
  let ended = 0;
  let after = '';
  for (;;) {
    const ids = await parts.store.pumps(after, BATCH);
    await Promise.all(ids.map((id) => endLost(parts, id)));
    ended += ids.length;
    const last = ids.at(-1);
    if (last === undefined || ids.length < BATCH) return ended;
    after = last;
  }
}

async function endLost({ streams, store }: ProxyParts, streamId: string): Promise<void> {
  const state = await streams.find(streamId);
  if (state && !state.closed) {
    const metadata = endedMetadata(readMetadata(state), failed('PUMP_LOST'));
    await streams.appendOwn(streamId, { data: null, close: true, metadata });
  }
  await store.pumpEnded(streamId);
}
