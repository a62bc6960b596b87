/**
 * Notifies the tenant's object (AuditLedger) when a stream is created, closed or removed, and of every change while
 * subscriptions follow it; an append to a followed stream is acknowledged only after the notification. An append to a
 * stream without followers reaches no other object. Proxied streams cannot be followed.
 *
 * Notifications are sent one at a time; changes in the meantime are combined into the next. An alarm in the same commit
 * as the write repeats a notification that was lost in a crash. Notifications are idempotent.
 */
import type { Log } from '../../../log.js';
import { type ProxyMetadata, proxiedOf } from '../../../proxy/index.js';
import { isExpired, type StreamState, splitStreamId, streamsOf } from '../../../streams/index.js';
import type { EdgeEnv } from '../edge-env.js';
import { unwrap } from '../wire-faults.js';
import type { LastReport } from './last-report.js';
import { ledgerOf } from './ledger-rpc.js';
import type { ReportedStream } from './listed-streams.js';

export interface NewsDeps {
  readonly env: EdgeEnv;
  readonly log: Log;
  readonly report: LastReport;
  state(id: string): Promise<StreamState | undefined>;
  /** Called when all changes so far are reported, or when a report failed and must be repeated. */
  onSent(outcome: 'reported' | 'failed'): void;
}

export class LedgerNews {
  readonly #deps: NewsDeps;
  #id: string | undefined;
  #changed = false;
  #sending: Promise<void> | undefined;
  #followers = 0;
  /** The last state of a proxied stream. Only its metadata names the tenant, and that is gone once it is removed. */
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
      // The stream may have changed again since the last check.
      if (outcome === 'reported' && this.#changed) this.#begin(id);
      else this.#deps.onSent(outcome);
    });
  }

  /** Call it when the stream has, or may have, a follower. */
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

  /** Whether the stream, or its absence, must be reported. */
  mustReport(state: StreamState | undefined): boolean {
    const { followed, shown } = this.#deps.report;
    if (this.#endsUnreported(state)) return false;
    return followed || shown !== shownOf(state);
  }

  get isPending(): boolean {
    return this.#changed || this.#sending !== undefined;
  }

  async settled(): Promise<void> {
    await this.#sending;
  }

  /** Resolves when the followers of the stream have been notified of its last change. */
  async delivered(id: string): Promise<void> {
    if (this.#id === id && this.isFollowed) await this.#sending;
  }

  /** Called while the stream exists, so that its owner is known after it was deleted. */
  rememberProxied(state: StreamState | undefined): void {
    if (state?.metadata && !splitStreamId(state.id)) this.#proxied = state;
  }

  /** An expired response needs no report, because its row in the tenant's lists expires at the same time. */
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
        this.rememberProxied(state);
        const shownState = state?.deleted ? undefined : state;
        const tenant = this.#tenantOf(id);
        if (tenant === undefined || !this.mustReport(shownState)) continue;
        const stream = shownState && reportedOf(shownState, tenant);
        const followers = this.#followers;
        const { followed } = await unwrap(ledgerOf(env, tenant).streamChanged(id, stream));
        // The response may not include a follower that was added in the meantime.
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

/** The fields whose change affects the lists. */
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
