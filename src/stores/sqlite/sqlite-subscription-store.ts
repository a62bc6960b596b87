/**
 * The subscription store over SQLite: synchronous code for a thread that may block, in the same file and the same
 * transactions as streams. It has no state in memory, so a host that rolls a transaction back need not notify it.
 */
import {
  type Ack,
  type CreateOutcome,
  comparePositions,
  decideWake,
  FIRST_STATE,
  type LinkOutcome,
  mayAcknowledge,
  type NewLink,
  type NewSubscription,
  type Noticed,
  type Position,
  type SeenStream,
  type StepContext,
  type StepOutcome,
  type StreamCheck,
  type SubscriptionEvent,
  type SubscriptionKey,
  type SubscriptionLink,
  type SubscriptionRecord,
  type WakeState,
} from '../../streams/index.js';
import { prepareSchema } from './prepare-schema.js';
import type { SqlDatabase, SqlValue } from './sql-database.js';
import { linkColumns, linkOf, recordOf, wakeColumns } from './subscription-row.js';
import { SUBSCRIPTION_SCHEMA } from './subscription-schema.js';

type BadAck = Extract<StepOutcome, { kind: 'bad_ack' }>;

export class SqliteSubscriptionStore {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
    prepareSchema(database, SUBSCRIPTION_SCHEMA);
  }

  create(subscription: NewSubscription, perTenant: number): CreateOutcome {
    const existing = this.get(subscription);
    if (existing) return { kind: 'exists', record: existing };
    const [row] = this.#database.all('SELECT count(*) AS n FROM subscriptions WHERE tenant = ?', [
      subscription.tenant,
    ]);
    if (Number(row?.['n']) >= perTenant) return { kind: 'full' };
    const { links, ...config } = subscription;
    this.#database.run(INSERT_SUBSCRIPTION, [
      config.tenant,
      config.id,
      config.mode,
      config.pattern,
      config.webhookSealed,
      config.wakeStream,
      config.leaseMs,
      config.description,
      config.createdAt,
      config.nonce,
      config.baseUrl,
      config.configHash,
      ...wakeColumns(FIRST_STATE),
    ]);
    for (const link of links) this.#saveNew(subscription, link);
    return { kind: 'created', record: { ...config, wake: FIRST_STATE } };
  }

  get(key: SubscriptionKey): SubscriptionRecord | undefined {
    const [row] = this.#database.all(
      'SELECT * FROM subscriptions WHERE tenant = ? AND subscription_id = ?',
      idOf(key),
    );
    return row && recordOf(row);
  }

  remove(key: SubscriptionKey): void {
    for (const table of ['subscription_links', 'subscriptions']) {
      this.#database.run(`DELETE FROM ${table} WHERE tenant = ? AND subscription_id = ?`, idOf(key));
    }
  }

  list(after: SubscriptionKey | null, limit: number): readonly SubscriptionRecord[] {
    return this.#database
      .all(SELECT_AFTER, [...idOf(after ?? { tenant: '', id: '' }), limit])
      .map((row) => recordOf(row));
  }

  links(key: SubscriptionKey, after: string, limit: number): readonly SubscriptionLink[] {
    return this.#database.all(SELECT_LINKS, [...idOf(key), after, limit]).map(linkOf);
  }

  newsFirst(key: SubscriptionKey, limit: number): readonly SubscriptionLink[] {
    const pending = this.#database.all(SELECT_PENDING, [...idOf(key), limit]);
    const rest =
      pending.length < limit ? this.#database.all(SELECT_REST, [...idOf(key), limit - pending.length]) : [];
    return [...pending, ...rest].map(linkOf);
  }

  link(key: SubscriptionKey, links: readonly NewLink[], linksMax: number): LinkOutcome {
    if (!this.get(key)) return 'missing';
    const known = new Map(links.map(({ path }) => [path, this.#link(key, path)]));
    const added = [...known.values()].filter((link) => !link).length;
    if (this.#count(key) + added > linksMax) return 'full';
    for (const link of links) {
      const existing = known.get(link.path);
      if (existing) this.#save(key, { ...existing, explicit: existing.explicit || link.explicit });
      else this.#saveNew(key, link);
    }
    return 'linked';
  }

  unlink(key: SubscriptionKey, path: string, keep: boolean): void {
    const link = this.#link(key, path);
    if (!link) return;
    if (keep) this.#save(key, { ...link, explicit: false });
    else this.#drop(key, path);
  }

  notice(
    noticed: readonly Noticed[],
    context: Omit<StepContext, 'newWakeId'>,
  ): readonly (StepOutcome | null)[] {
    return noticed.map(({ key, checks, newWakeId }) => {
      const before = this.get(key);
      if (!before) return { kind: 'missing' };
      const event: SubscriptionEvent = { wake: { kind: 'noticed' }, checks };
      const outcome = this.#stepFrom(before, event, { ...context, newWakeId });
      const isQuiet =
        outcome.kind === 'accepted' &&
        outcome.record.wake === before.wake &&
        outcome.dropped.length + outcome.overflow === 0;
      return isQuiet ? null : outcome;
    });
  }

  step(key: SubscriptionKey, event: SubscriptionEvent, context: StepContext): StepOutcome {
    const record = this.get(key);
    return record ? this.#stepFrom(record, event, context) : { kind: 'missing' };
  }

  #stepFrom(record: SubscriptionRecord, event: SubscriptionEvent, context: StepContext): StepOutcome {
    const { mode, leaseMs, wake } = record;
    const key: SubscriptionKey = record;
    const { dropped, overflow } = this.#saveChecks(key, event.checks ?? [], context.linksMax);
    if (event.acks && mayAcknowledge(wake, event.wake, { mode, now: context.now })) {
      const bad = this.#acknowledge(key, event.acks);
      if (bad) return bad;
    }
    const [pending] = this.#database.all(SELECT_PENDING, [...idOf(key), 1]);
    const verdict = decideWake(wake, event.wake, {
      ...context,
      mode,
      leaseMs,
      pending: pending !== undefined,
    });
    if (verdict.kind === 'refused') return { kind: 'refused', why: verdict.why };
    if (verdict.state !== wake) this.#saveWake(key, verdict.state);
    const next = { ...record, wake: verdict.state };
    return { kind: 'accepted', record: next, nextWake: verdict.nextWake, dropped, overflow };
  }

  #saveChecks(
    key: SubscriptionKey,
    checks: readonly StreamCheck[],
    linksMax: number,
  ): { dropped: string[]; overflow: number } {
    const dropped: string[] = [];
    let overflow = 0;
    let count: number | undefined;
    for (const { path, stream } of checks) {
      const link = this.#link(key, path);
      if (!stream) {
        // A stream that never existed keeps its link; a stream that was removed loses it.
        if (!link?.stream) continue;
        this.#drop(key, path);
        dropped.push(path);
        count = undefined;
      } else if (link) {
        const seen = seenOn(link, stream);
        if (seen !== link) this.#save(key, seen);
      } else {
        // Counting reads every link, so it is done once for all checks.
        count ??= this.#count(key);
        if (count >= linksMax) overflow++;
        else this.#save(key, { path, explicit: false, stream, acked: null });
        count++;
      }
    }
    return { dropped, overflow };
  }

  /** With `strict`, all acks apply or none. */
  #acknowledge(key: SubscriptionKey, acks: NonNullable<SubscriptionEvent['acks']>): BadAck | undefined {
    const changed = new Map<string, SubscriptionLink>();
    for (const ack of acks.entries) {
      const link = changed.get(ack.path) ?? this.#link(key, ack.path);
      // A wake's own acks may be outdated; they must not restore a removed stream.
      if (!acks.strict && link?.stream?.hash !== ack.stream.hash) continue;
      const why = link ? faultOf(link, ack) : 'unknown';
      if (link && !why) changed.set(ack.path, ackedOn(link, ack));
      else if (acks.strict && why) return { kind: 'bad_ack', path: ack.path, why };
    }
    for (const link of changed.values()) this.#save(key, link);
    return undefined;
  }

  #link(key: SubscriptionKey, path: string): SubscriptionLink | undefined {
    const [row] = this.#database.all(SELECT_LINK, [...idOf(key), path]);
    return row && linkOf(row);
  }

  #count(key: SubscriptionKey): number {
    const [row] = this.#database.all(COUNT_LINKS, idOf(key));
    return Number(row?.['n']);
  }

  #saveNew(key: SubscriptionKey, { path, explicit, stream }: NewLink): void {
    this.#save(key, { path, explicit, stream, acked: stream?.tail ?? null });
  }

  #save(key: SubscriptionKey, link: Omit<SubscriptionLink, 'pending'>): void {
    this.#database.run(UPSERT_LINK, [...idOf(key), ...linkColumns(link)]);
  }

  #drop(key: SubscriptionKey, path: string): void {
    this.#database.run(
      'DELETE FROM subscription_links WHERE tenant = ? AND subscription_id = ? AND path = ?',
      [...idOf(key), path],
    );
  }

  #saveWake(key: SubscriptionKey, wake: WakeState): void {
    this.#database.run(UPDATE_WAKE, [...wakeColumns(wake), ...idOf(key)]);
  }
}

function idOf({ tenant, id }: SubscriptionKey): readonly SqlValue[] {
  return [tenant, id];
}

/** The link after a check. A stream with another hash is a new one, and an outdated check is ignored. */
function seenOn(link: SubscriptionLink, stream: SeenStream): SubscriptionLink {
  if (link.stream?.hash !== stream.hash) return { ...link, stream, acked: null };
  return comparePositions(stream.tail, link.stream.tail) > 0 ? { ...link, stream } : link;
}

function faultOf(link: SubscriptionLink, { at, stream }: Ack): BadAck['why'] | undefined {
  const { acked } = seenOn(link, stream);
  return acked && comparePositions(at, acked) < 0 ? 'regress' : undefined;
}

function ackedOn(link: SubscriptionLink, { at, stream }: Ack): SubscriptionLink {
  const seen = seenOn(link, stream);
  return { ...seen, acked: furthest(seen.acked, at) };
}

function furthest(a: Position | null, b: Position): Position {
  return a && comparePositions(a, b) > 0 ? a : b;
}

const INSERT_SUBSCRIPTION = `INSERT INTO subscriptions (
  tenant, subscription_id, mode, pattern, webhook_sealed, wake_stream, lease_ms, description, created_at, nonce,
  base_url, config_hash, phase, generation, failing, wake_id, attempts, due_at, holder
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const UPDATE_WAKE = `UPDATE subscriptions SET
  phase = ?, generation = ?, failing = ?, wake_id = ?, attempts = ?, due_at = ?, holder = ?
WHERE tenant = ? AND subscription_id = ?`;

const SELECT_AFTER = `SELECT * FROM subscriptions
  WHERE (tenant, subscription_id) > (?, ?) ORDER BY tenant, subscription_id LIMIT ?`;

const SELECT_LINK = 'SELECT * FROM subscription_links WHERE tenant = ? AND subscription_id = ? AND path = ?';

const SELECT_LINKS = `SELECT * FROM subscription_links
  WHERE tenant = ? AND subscription_id = ? AND path > ? ORDER BY path LIMIT ?`;

const SELECT_PENDING = `SELECT * FROM subscription_links
  WHERE tenant = ? AND subscription_id = ? AND pending = 1 ORDER BY path LIMIT ?`;

const SELECT_REST = `SELECT * FROM subscription_links
  WHERE tenant = ? AND subscription_id = ? AND pending = 0 ORDER BY path LIMIT ?`;

const COUNT_LINKS = 'SELECT count(*) AS n FROM subscription_links WHERE tenant = ? AND subscription_id = ?';

const UPSERT_LINK = `INSERT INTO subscription_links (
  tenant, subscription_id, path, explicit, stream_hash, tail_chunk, tail_position, acked_chunk, acked_position,
  pending
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (tenant, subscription_id, path) DO UPDATE SET
  explicit = excluded.explicit, stream_hash = excluded.stream_hash,
  tail_chunk = excluded.tail_chunk, tail_position = excluded.tail_position,
  acked_chunk = excluded.acked_chunk, acked_position = excluded.acked_position, pending = excluded.pending`;
