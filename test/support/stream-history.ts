/**
 * Checks whether what concurrent clients saw of a few streams has an explanation: an order of their calls, each between
 * its start and its end, in which a plain model returns the same results. Calls that a crash cut off have no result and
 * may or may not have happened. A fork reads its source, announces itself and is created, each at its own moment.
 *
 * Every append has its own text, so bytes of another life of a stream never fit.
 */
export type Call =
  | { readonly do: 'create'; readonly name: string; readonly text: string; readonly mortal: boolean }
  | { readonly do: 'fork'; readonly name: string; readonly source: string }
  | { readonly do: 'append'; readonly name: string; readonly text: string; readonly close: boolean }
  | { readonly do: 'read'; readonly name: string; readonly live: '' | 'long-poll' | 'sse' }
  | { readonly do: 'delete'; readonly name: string };

export interface Outcome {
  readonly status: number;
  readonly text: string;
  /** The response was truncated: its text is a prefix of the data. */
  readonly cut: boolean;
}

export interface Event {
  readonly id: number;
  readonly call: Call;
  readonly startedAt: number;
  endedAt: number;
  /** Unknown if the server died. */
  outcome?: Outcome;
}

interface Stream {
  /** The event that created it. */
  readonly life: number;
  readonly content: string;
  readonly closed: boolean;
  readonly deleted: boolean;
  /** May expire at any moment. */
  readonly mortal: boolean;
  /** May be kept for a fork that does not exist: a crash left its announcement, or its link. */
  readonly announced?: true;
  readonly parent?: { readonly life: number; readonly content: string; readonly name: string };
}

/** The state of all names at one moment. Never mutated, only replaced. */
export type World = ReadonlyMap<string, Stream>;

/** How far an event has progressed: a fork takes several steps. */
type Progress =
  | { readonly at: 'waiting' }
  | {
      readonly at: 'resolved' | 'announced';
      readonly from: NonNullable<Stream['parent']>;
      readonly mortal: boolean;
    }
  | { readonly at: 'done' };

interface Branch {
  readonly world: World;
  readonly progress: Progress;
}

const WAITING: Progress = { at: 'waiting' };
const DONE: Progress = { at: 'done' };

/** Returns the worlds that can follow; empty if there is no explanation. */
export function explain(before: readonly World[], events: readonly Event[]): World[] {
  const after = new Map<string, World>();
  const seen = new Set<string>();
  const isCrashed = events.some(({ outcome }) => !outcome);
  const visit = (world: World, progress: readonly Progress[]): void => {
    const key = JSON.stringify([...world].sort(([a], [b]) => (a < b ? -1 : 1))) + JSON.stringify(progress);
    if (seen.has(key)) return;
    seen.add(key);
    if (events.every((event, i) => progress[i]?.at === 'done' || !event.outcome)) {
      const left = withLeftovers(world, progress, isCrashed ? sourcesIn([...before, world]) : new Set());
      after.set(JSON.stringify([...left]), left);
    }
    const announced = announcedLives(world, progress);
    for (const next of vanishings(world, announced)) visit(next, progress);
    for (const [i, event] of events.entries()) {
      if (!mayRun(events, progress, i)) continue;
      for (const branch of stepsOf({ event, world, progress: progress[i] ?? WAITING, announced })) {
        visit(branch.world, progress.with(i, branch.progress));
      }
    }
  };
  for (const world of before)
    visit(
      world,
      events.map(() => WAITING),
    );
  return [...after.values()];
}

/** Not yet done, while everything that ended before it started is. */
function mayRun(events: readonly Event[], progress: readonly Progress[], i: number): boolean {
  const event = events[i];
  if (!event || progress[i]?.at === 'done') return false;
  return events.every(
    (other, j) => other.endedAt > event.startedAt || !other.outcome || progress[j]?.at === 'done',
  );
}

/** Returns the sources of forks that are announced and not yet created: they may be kept as if the fork existed. */
function announcedLives(world: World, progress: readonly Progress[]): ReadonlySet<number> {
  const earlier = [...world.values()].flatMap(({ life, announced }) => (announced ? [life] : []));
  return new Set([
    ...earlier,
    ...progress.flatMap((each) => (each.at === 'announced' ? [each.from.life] : [])),
  ]);
}

/**
 * Adds what a crash leaves behind until it is swept: the announcement of a fork that was cut off, and the link to a
 * fork that was removed before its source knew.
 */
function withLeftovers(world: World, progress: readonly Progress[], sources: ReadonlySet<number>): World {
  const lives = new Set([...announcedLives(new Map(), progress), ...sources]);
  if (lives.size === 0) return world;
  return new Map(
    [...world].map(([name, stream]) => [
      name,
      lives.has(stream.life) ? { ...stream, announced: true } : stream,
    ]),
  );
}

function sourcesIn(worlds: readonly World[]): ReadonlySet<number> {
  const parents = worlds.flatMap((world) => [...world.values()].map(({ parent }) => parent?.life));
  return new Set(parents.filter((life) => life !== undefined));
}

/** A mortal stream may expire, and one that was kept for forks goes after the last of them. */
function* vanishings(world: World, announced: ReadonlySet<number>): Generator<World> {
  for (const [name, stream] of world) {
    if (stream.deleted ? !hasForks(world, stream) : stream.mortal) yield* removals(world, name, announced);
  }
}

/** Yields the worlds that a removal can leave: without the stream, or with it kept for an announced fork. */
function* removals(world: World, name: string, announced: ReadonlySet<number>): Generator<World> {
  const stream = world.get(name);
  if (!stream) return;
  yield removed(world, name, stream);
  if (!stream.deleted && announced.has(stream.life)) yield kept(world, name, stream);
}

function kept(world: World, name: string, stream: Stream): World {
  return new Map(world).set(name, { ...stream, deleted: true, mortal: false });
}

function hasForks(world: World, { life }: Stream): boolean {
  return [...world.values()].some(({ parent }) => parent?.life === life);
}

function removed(world: World, name: string, stream: Stream): World {
  if (hasForks(world, stream)) return kept(world, name, stream);
  const next = new Map(world);
  next.delete(name);
  return next;
}

interface Step {
  readonly event: Event;
  readonly world: World;
  readonly progress: Progress;
  readonly announced: ReadonlySet<number>;
}

function stepsOf({ event, world, progress, announced }: Step): Branch[] {
  const { call } = event;
  const stream = world.get(call.name);
  const fits = (status: number) => event.outcome === undefined || event.outcome.status === status;
  const end = (status: number, next: World = world): Branch[] =>
    fits(status) ? [{ world: next, progress: DONE }] : [];
  if (call.do === 'fork') return forkSteps({ call, event, world, progress }, end);
  if (call.do === 'create') {
    // No two creates request the same expiry.
    if (stream) return end(!call.mortal && isSame(stream, undefined, false) ? 200 : 409);
    return end(201, new Map(world).set(call.name, fresh(event.id, call.text, call.mortal)));
  }
  if (!stream) return end(404);
  if (stream.deleted) return end(410);
  if (call.do === 'delete')
    return [...removals(world, call.name, announced)].flatMap((next) => end(204, next));
  if (call.do === 'read') return readFits(event, stream) ? [{ world, progress: DONE }] : [];
  if (stream.closed) return end(409);
  const content = stream.content + call.text;
  return end(204, new Map(world).set(call.name, { ...stream, content, closed: call.close }));
}

interface Forking {
  readonly call: Extract<Call, { do: 'fork' }>;
  readonly event: Event;
  readonly world: World;
  readonly progress: Progress;
}

function forkSteps(
  { call, event, world, progress }: Forking,
  end: (status: number, next?: World) => Branch[],
): Branch[] {
  const source = world.get(call.source);
  const existing = world.get(call.name);
  if (progress.at === 'waiting') {
    if (!source) return end(404);
    if (source.deleted) return end(409);
    const from = { life: source.life, content: source.content, name: call.source };
    return [{ world, progress: { at: 'resolved', from, mortal: source.mortal } }];
  }
  if (progress.at === 'done') return [];
  const { from, mortal } = progress;
  if (existing) return end(isSame(existing, from, mortal) ? 200 : 409);
  if (progress.at === 'resolved') {
    if (source?.life !== from.life || source.deleted) return end(409);
    return [{ world, progress: { ...progress, at: 'announced' } }];
  }
  // An announced fork keeps its source, if only for itself.
  const before = world.get(from.name)?.life === from.life ? world : restored(world, from);
  return end(201, new Map(before).set(call.name, { ...fresh(event.id, from.content, mortal), parent: from }));
}

function restored(world: World, from: NonNullable<Stream['parent']>): World {
  if (world.has(from.name)) return world;
  return new Map(world).set(from.name, { ...fresh(from.life, from.content, false), deleted: true });
}

function fresh(life: number, content: string, mortal: boolean): Stream {
  return { life, content, closed: false, deleted: false, mortal };
}

/** Returns whether a create with these options finds exactly this stream. */
function isSame(stream: Stream, parent: Stream['parent'], mortal: boolean): boolean {
  if (stream.deleted || stream.closed || stream.mortal !== mortal) return false;
  return stream.parent?.life === parent?.life && stream.parent?.content.length === parent?.content.length;
}

function readFits({ outcome }: Event, { content }: Stream): boolean {
  if (!outcome) return true;
  if (outcome.status === 204) return content === '';
  if (outcome.status !== 200) return false;
  return outcome.cut ? content.startsWith(outcome.text) : content === outcome.text;
}
