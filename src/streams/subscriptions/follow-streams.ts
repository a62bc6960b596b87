/**
 * Finds the streams that a subscription follows: those it names and those its pattern matches. A new subscription takes
 * two passes. The first links every stream at its current tail, which counts as acknowledged. The second runs once the
 * subscription receives appends, and notes streams that changed in between, so that no append is missed. The cost of
 * both depends only on the subscription's own streams. At start, the streams of all subscriptions are checked for
 * appends that a crash left unnoted.
 */
import { comparePositions } from '../offset.js';
import type { StreamState } from '../stream-store.js';
import { PathPattern, splitStreamId, streamIdOf } from './stream-path.js';
import type { FollowedStreams, SubscriptionDeps } from './subscription-deps.js';
import type { IndexEntry } from './subscription-index.js';
import { tooLarge } from './subscription-requests.js';
import type { NewLink, SeenStream, SubscriptionKey, SubscriptionLink } from './subscription-store.js';

const PAGE = 500;

interface Notes extends Pick<SubscriptionDeps, 'index' | 'streams' | 'store'> {
  readonly runner: Pick<SubscriptionDeps['runner'], 'note' | 'catchUp' | 'stopping'>;
}

/** Links for all streams to follow. Everything they already contain counts as acknowledged. */
export async function gatherLinks(
  { streams, limits }: Pick<SubscriptionDeps, 'streams' | 'limits'>,
  tenant: string,
  wanted: { readonly pattern: string | null; readonly named: readonly string[]; readonly not: string | null },
): Promise<readonly NewLink[]> {
  const links = new Map<string, NewLink>();
  for (const link of await linksByName(streams, tenant, wanted.named)) links.set(link.path, link);
  if (wanted.pattern !== null) {
    const pattern = new PathPattern(wanted.pattern);
    for await (const { path, state } of streamsUnder(streams, tenant, pattern.prefix)) {
      if (!pattern.matches(path) || path === wanted.not || links.has(path)) continue;
      links.set(path, { path, explicit: false, stream: seenOf(state) });
      if (links.size > limits.links) break;
    }
  }
  if (links.size > limits.links) {
    throw tooLarge(`a subscription can follow at most ${limits.links} streams`, limits.links);
  }
  return [...links.values()];
}

export async function linksByName(
  streams: FollowedStreams,
  tenant: string,
  paths: readonly string[],
): Promise<readonly NewLink[]> {
  return Promise.all(
    paths.map(async (path) => {
      const state = await streams.find(streamIdOf(tenant, path));
      return { path, explicit: true, stream: state ? seenOf(state) : null };
    }),
  );
}

/** Notes every linked stream, to be checked for new data. */
export async function noteLinks(deps: Omit<Notes, 'streams'>, key: SubscriptionKey): Promise<void> {
  const entry = deps.index.find(key);
  if (!entry) return;
  for await (const { path } of allLinks(deps, key)) deps.runner.note(entry, path);
  await deps.runner.catchUp(key);
}

/** Notes the streams that were changed, created or removed since the links were gathered. */
export async function noteChanges(
  deps: Omit<Notes, 'store'>,
  entry: IndexEntry,
  links: readonly NewLink[],
): Promise<void> {
  const { index, runner, streams } = deps;
  const known = new Map(links.map(({ path, stream }) => [path, stream]));
  if (entry.pattern) {
    for await (const { path, state } of streamsUnder(streams, entry.key.tenant, entry.pattern.prefix)) {
      if (!index.follows(entry, path)) continue;
      if (!isAsSeen(known.get(path), state)) runner.note(entry, path);
      known.delete(path);
    }
  }
  for (const path of known.keys()) runner.note(entry, path);
  await runner.catchUp(entry.key);
}

export function seenOf({ hash, tail }: StreamState): SeenStream {
  return { hash, tail };
}

function isAsSeen(seen: SeenStream | null | undefined, { hash, tail }: StreamState): boolean {
  return seen?.hash === hash && comparePositions(seen.tail, tail) === 0;
}

/** Notes every stream under the prefix that a subscription of the tenant follows, one page at a time. */
export async function noteMatches(deps: Omit<Notes, 'store'>, tenant: string, prefix: string): Promise<void> {
  const { index, runner, streams } = deps;
  let noted = 0;
  for await (const { path } of streamsUnder(streams, tenant, prefix)) {
    for (const entry of index.following(tenant, path)) {
      runner.note(entry, path);
      noted++;
    }
    if (noted >= PAGE) {
      noted = 0;
      await runner.catchUp();
    }
    if (runner.stopping) return;
  }
  await runner.catchUp();
}

export async function* allLinks(
  { store }: Pick<SubscriptionDeps, 'store'>,
  key: SubscriptionKey,
): AsyncGenerator<SubscriptionLink> {
  for (let after = ''; ; ) {
    const page = await store.links(key, after, PAGE);
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)?.path ?? '';
  }
}

async function* streamsUnder(
  streams: FollowedStreams,
  tenant: string,
  prefix: string,
): AsyncGenerator<{ path: string; state: StreamState }> {
  const first = streamIdOf(tenant, prefix);
  for (let after = justBefore(first); ; ) {
    const page = await streams.list(after, PAGE);
    for (const state of page) {
      if (!state.id.startsWith(first)) return;
      const path = splitStreamId(state.id)?.path ?? '';
      if (!state.deleted) yield { path, state };
    }
    if (page.length < PAGE) return;
    after = page.at(-1)?.id ?? '';
  }
}

/** Sorts before `id` and after every id that does; ids contain no character after `~`. */
function justBefore(id: string): string {
  return `${id.slice(0, -1)}${String.fromCharCode(id.charCodeAt(id.length - 1) - 1)}\u007f`;
}
