/**
 * Which of a tenant's streams a subscription follows: those it names and those its pattern matches. Done in two
 * rounds when a subscription is made: first every stream as it is, which counts as acknowledged, and once
 * the subscription receives appends those that have changed since, so that none is missed. Both cost as much as the
 * subscription's own streams, however many others follow them. A start looks at the streams of all subscriptions, for
 * what a crash kept from being noted.
 */
import { comparePositions } from '../offset.js';
import type { StreamState } from '../stream-store.js';
import { PathPattern, splitStreamId, streamIdOf } from './stream-path.js';
import type { FollowedStreams, SubscriptionDeps } from './subscription-deps.js';
import type { IndexEntry } from './subscription-index.js';
import { tooLarge } from './subscription-requests.js';
import type { NewLink, SeenStream, SubscriptionKey, SubscriptionLink } from './subscription-store.js';

const PAGE = 500;

/** Links for all that is followed from now on; everything there is already counts as acknowledged. */
export async function gatherLinks(
  { streams, limits }: SubscriptionDeps,
  tenant: string,
  wanted: { readonly pattern: string | null; readonly named: readonly string[]; readonly not: string | null },
): Promise<readonly NewLink[]> {
  const links = new Map<string, NewLink>();
  for (const link of await linksByName(streams, tenant, wanted.named)) links.set(link.path, link);
  if (wanted.pattern !== null) {
    const pattern = new PathPattern(wanted.pattern);
    for await (const { path, state } of streamsUnder(streams, tenant, pattern.prefix)) {
      if (!pattern.matches(path) || path === wanted.not || links.has(path)) continue;
      links.set(path, { path, explicit: false, stream: { hash: state.hash, tail: state.tail } });
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
      return { path, explicit: true, stream: state ? { hash: state.hash, tail: state.tail } : null };
    }),
  );
}

/** Looks at every stream that is linked. */
export async function lookAtLinks(deps: SubscriptionDeps, key: SubscriptionKey): Promise<void> {
  const entry = deps.index.find(key);
  if (!entry) return;
  for await (const { path } of allLinks(deps, key)) deps.runner.note(entry, path);
  await deps.runner.caughtUp(key);
}

/** Looks at the streams that have changed, come or gone since the links were gathered. */
export async function lookAtChanges(
  deps: SubscriptionDeps,
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
  await runner.caughtUp(entry.key);
}

function isAsSeen(seen: SeenStream | null | undefined, { hash, tail }: StreamState): boolean {
  return seen?.hash === hash && comparePositions(seen.tail, tail) === 0;
}

/** Looks at every stream under the prefix that some subscription of the tenant follows, a page at a time. */
export async function lookAtMatches(deps: SubscriptionDeps, tenant: string, prefix: string): Promise<void> {
  const { index, runner, streams } = deps;
  let noted = 0;
  for await (const { path } of streamsUnder(streams, tenant, prefix)) {
    for (const entry of index.following(tenant, path)) {
      runner.note(entry, path);
      noted++;
    }
    if (noted >= PAGE) {
      noted = 0;
      await runner.caughtUp();
    }
    if (runner.stopping) return;
  }
  await runner.caughtUp();
}

export async function* allLinks(
  { store }: Pick<SubscriptionDeps, 'store'>,
  key: SubscriptionKey,
): AsyncGenerator<SubscriptionLink> {
  for (let after = ''; ; ) {
    const page = await store.links(key, after, PAGE);
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.path;
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
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.id;
  }
}

/** Sorts before `id` and after all that does; ids hold nothing past `~`. */
function justBefore(id: string): string {
  return `${id.slice(0, -1)}${String.fromCharCode(id.charCodeAt(id.length - 1) - 1)}\u007f`;
}
