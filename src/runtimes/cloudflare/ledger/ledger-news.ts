/**
 * Notifies the tenant's object (AuditLedger) of what its lists show of a stream: that it was created, closed or removed;
 * and of every change while subscriptions follow it. Then an append is acknowledged only after the notification. While
 * the stream has no followers, an append reaches no other object. A proxied stream cannot be followed.
 *
 * Notifications are sent one at a time, and changes that accumulate meanwhile are sent together. An alarm in the same
 * commit as the write repeats a notification lost in a crash; repeating one changes nothing.
 */
import type { Log } from '../../../log.js';
import { type ProxyMetadata, proxiedOf } from '../../../proxy/index.js';
import { isExpired, type StreamState, splitStreamId, streamsOf } from '../../../streams/index.js';
import type { EdgeEnv } from '../edge-env.js';
import { received } from '../wire-faults.js';
import type { LastReport } from './last-report.js';
import { ledgerOf } from './ledger-rpc.js';
import type { ReportedStream } from './listed-streams.js';

export interface NewsDeps {
  readonly env: EdgeEnv;
  readonly log: Log;
  readonly report: LastReport;
  state(id: string): Promise<StreamState | undefined>;
  /** All changes so far are reported, or not and have to be reported again. */
  onSent(outcome: 'reported' | 'failed'): void;
}

export class LedgerNews {
  readonly #deps: NewsDeps;
  #id: string | undefined;
  #changed = false;
  #sending: Promise<void> | undefined;
  /** How many followers have been added. */
  #followers = 0;
  /** The proxied stream as it last was: its id names no tenant, and when it has gone nothing else does. */
  #proxied: StreamState | undefined;

  constructor(deps: NewsDeps) {
    this.#deps = deps;
  }

  changed(id: string): void {
    this.#id = id;
    this.#changed = true;
    this.#begin(id);
  }

  #begin(id: string): void {
    this.#sending ??= this.#send(id).then((outcome) => {
      this.#sending = undefined;
      // Something may have changed between the last look and this turn.
      if (outcome === 'reported' && this.#changed) this.#begin(id);
      else this.#deps.onSent(outcome);
    });
  }

  /** The stream has a follower from now on, or may have one. */
  follow(): void {
    const { report } = this.#deps;
    this.#followers++;
    if (report.followed) return;
    report.followed = true;
    if (report.shown !== GONE) report.keep();
  }

  get isFollowed(): boolean {
    return this.#deps.report.followed;
  }

  /** Whether the stream, or its absence, is to be reported. */
  isNews(state: StreamState | undefined): boolean {
    const { followed, shown } = this.#deps.report;
    if (this.#endsUnreported(state)) return false;
    return followed || shown !== shownOf(state);
  }

  /** Whether a notification is pending. */
  get isPending(): boolean {
    return this.#changed || this.#sending !== undefined;
  }

  /** Resolves when no notification is being sent. */
  async settled(): Promise<void> {
    await this.#sending;
  }

  /** Resolves when the followers of the stream have been notified of its last change. */
  async delivered(id: string): Promise<void> {
    if (this.#id === id && this.isFollowed) await this.#sending;
  }

  /** Called while the stream exists, so that its owner is known after it was deleted. */
  learn(state: StreamState | undefined): void {
    if (state?.metadata && !splitStreamId(state.id)) this.#proxied = state;
  }

  /** An expired response leaves the tenant's lists without a report: its row there has the same end. */
  #endsUnreported(state: StreamState | undefined): boolean {
    return !state && this.#proxied !== undefined && isExpired(this.#proxied, Date.now());
  }

  #tenantOf(id: string): string | undefined {
    const metadata = this.#proxied?.metadata;
    return (
      splitStreamId(id)?.tenant ?? (metadata ? (JSON.parse(metadata) as ProxyMetadata).tenant : undefined)
    );
  }

  async #send(id: string): Promise<'reported' | 'failed'> {
    const { env, log } = this.#deps;
    while (this.#changed) {
      this.#changed = false;
      try {
        const state = await this.#deps.state(id);
        this.learn(state);
        const shownState = state?.deleted ? undefined : state;
        const tenant = this.#tenantOf(id);
        if (tenant === undefined || !this.isNews(shownState)) continue;
        const stream = shownState && reportedOf(shownState, tenant);
        const followers = this.#followers;
        const { followed } = await received(ledgerOf(env, tenant).streamChanged(id, stream));
        // A follower that came meanwhile may not be in the response.
        this.#keep(shownOf(shownState), followed || this.#followers > followers);
      } catch (error) {
        log.warn('the tenant object was not notified of a change; retrying', { stream: id, err: error });
        this.#changed = true;
        return 'failed';
      }
    }
    return 'reported';
  }

  #keep(shown: string, followed: boolean): void {
    const { report } = this.#deps;
    const isSame = report.shown === shown && report.followed === followed;
    report.shown = shown;
    report.followed = followed;
    if (!isSame && shown !== GONE && this.#proxied === undefined) report.keep();
  }
}

const GONE = 'gone';

/** What lists show changes with these alone. */
function shownOf(state: StreamState | undefined): string {
  return state ? `${state.createdAt} ${state.closed}` : GONE;
}

function reportedOf(state: StreamState, tenant: string): ReportedStream {
  const { id, hash, contentType, tail, totalBytes, createdAt, accessedAt, appendedAt } = state;
  const { ttlSeconds, expiresAt, closed, corruptFrom, metadata } = state;
  const collection = splitStreamId(id) ? streamsOf(tenant) : proxiedOf(tenant);
  const written = { id, hash, contentType, tail, totalBytes, createdAt, accessedAt, appendedAt };
  return { ...written, ttlSeconds, expiresAt, closed, corruptFrom, metadata, collection };
}
