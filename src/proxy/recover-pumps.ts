/**
 * Ends the streams that pumps of an earlier process left open, before any request is served: their upstreams are gone,
 * and readers must not wait for them. Safe to interrupt and repeat.
 */
import type { StreamKey } from '../streams/index.js';
import type { ProxyDeps } from './proxy-deps.js';
import { endedMetadata, readMetadata } from './proxy-metadata.js';
import { failed } from './upstream-outcome.js';

const BATCH = 256;

type RecoverDeps = Pick<ProxyDeps, 'streams' | 'store'>;

export async function recoverPumps(deps: RecoverDeps): Promise<number> {
  let ended = 0;
  let after = '';
  for (;;) {
    const lost = await deps.store.pumps(after, BATCH);
    await Promise.all(lost.map((stream) => endLost(deps, stream)));
    ended += lost.length;
    const last = lost.at(-1);
    if (!last) return ended;
    after = last.life;
  }
}

async function endLost({ streams, store }: RecoverDeps, stream: StreamKey): Promise<void> {
  const state = await streams.find(stream.id);
  if (state?.life === stream.life && !state.closed) {
    const metadata = endedMetadata(readMetadata(state), failed('PUMP_LOST'));
    await streams.appendOwn(stream, { data: null, close: true, metadata });
  }
  await store.pumpEnded(stream);
}
