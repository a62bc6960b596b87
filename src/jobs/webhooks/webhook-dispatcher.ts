/**
 * Delivers the webhooks that the store has queued: at least once, in no guaranteed order, with one id for all attempts
 * of a delivery. Attempts are spread over about three days with full jitter, then the delivery is given up. Several
 * processes may run a dispatcher: a claimed delivery is held, and becomes due again if its holder dies.
 *
 * A process makes `atOnce` deliveries at once, and claims the next when one has ended. A tenant can take all but one;
 * one that has none in progress gets one in addition. So slow receivers of a tenant do not delay another's.
 */
import { CountMap } from '../../count-map.js';
import { asSondeError } from '../../errors.js';
import type { Log } from '../../log.js';
import { LogLimit, POLL_FAULT_LOG_MS } from '../../log-limit.js';
import { backoffMs } from '../backoff.js';
import { signWebhook, type WebhookKey } from './sign-webhook.js';
import type { DeliverySettlement, DueDelivery, WebhookStore } from './webhook.js';

/** The client for deliveries. It limits time and response size itself and follows no redirects. */
export interface DeliveryClient {
  refusal(url: string): { readonly rule: string; readonly message: string } | undefined;
  deliver(call: {
    readonly url: string;
    readonly headers: readonly (readonly [string, string])[];
    readonly body: Uint8Array;
    readonly signal: AbortSignal;
  }): Promise<{ readonly status: number }>;
}

export const DELIVERY_LIMITS = {
  attemptsMax: 16,
  firstMs: 5_000,
  maxMs: 6 * 3_600_000,
  /** A delivery due later than this was queued by a fast clock and is due now. */
  aheadMaxMs: 12 * 3_600_000,
  holdMs: 60_000,
  atOnce: 8,
  /** Tenants that may each have one more while others use all. */
  guestsMax: 100,
  pollMs: 2_000,
  /** Jobs that end within this time are looked for together. */
  soonMs: 100,
  keepMs: 7 * 86_400_000,
} as const;

export interface DispatcherDeps {
  readonly store: WebhookStore;
  readonly outbound: DeliveryClient;
  readonly key: WebhookKey;
  readonly log: Log;
  readonly clock: () => number;
  readonly random: () => number;
  readonly pollMs?: number;
}

export class WebhookDispatcher {
  readonly #deps: DispatcherDeps;
  readonly #faultLog = new LogLimit({ everyMs: POLL_FAULT_LOG_MS });
  /** How the attempts of this process ended. */
  readonly ended = { delivered: 0, again: 0, failed: 0 };
  readonly #abort = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #perTenant = new CountMap();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wakesSoon = false;
  #claiming: Promise<void> | undefined;
  /** There may be something to claim when a delivery ends. */
  #mayHaveMore = false;
  #endedSince = false;

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
  }

  start(): void {
    const { pollMs = DELIVERY_LIMITS.pollMs, random } = this.#deps;
    clearTimeout(this.#timer);
    const ms = this.#wakesSoon ? DELIVERY_LIMITS.soonMs : pollMs * (0.5 + random());
    this.#timer = setTimeout(() => this.wake(), ms);
  }

  /** There may be something to deliver. */
  wake(): void {
    clearTimeout(this.#timer);
    this.#wakesSoon = false;
    void this.#refill().finally(() => {
      if (!this.#abort.signal.aborted) this.start();
    });
  }

  /** A job has ended, and others may end with it. */
  wakeSoon(): void {
    if (this.#wakesSoon || this.#abort.signal.aborted) return;
    this.#wakesSoon = true;
    this.start();
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    clearTimeout(this.#timer);
    await this.#claiming?.catch(() => undefined);
    await Promise.all(this.#running);
  }

  /** Delivers what is due now, once; for hosts with their own alarm. */
  async deliverDue(): Promise<void> {
    await this.#claim();
    while (this.#running.size > 0) {
      await Promise.race(this.#running);
      await this.#claiming;
    }
  }

  async #refill(): Promise<void> {
    await this.#claim().catch((thrown: unknown) => {
      const { code } = asSondeError(thrown);
      const repeated = this.#faultLog.pass(code);
      if (repeated) this.#deps.log.warn('due webhooks could not be read', { code, ...repeated });
    });
  }

  /** Claims what is due until there is no room or nothing left. Only one claim runs at a time. */
  #claim(): Promise<void> {
    this.#claiming ??= this.#claimAll();
    return this.#claiming;
  }

  async #claimAll(): Promise<void> {
    try {
      await this.#claimWhileRoom();
    } finally {
      this.#claiming = undefined;
    }
  }

  async #claimWhileRoom(): Promise<void> {
    const { store, key } = this.#deps;
    const { atOnce, holdMs, guestsMax } = DELIVERY_LIMITS;
    this.#mayHaveMore = true;
    while (!this.#abort.signal.aborted) {
      const running = this.#running.size;
      this.#endedSince = false;
      const limit = Math.max(0, atOnce - running);
      const held = Object.fromEntries(this.#perTenant);
      const share = { held, heldMax: atOnce - 1, guests: Math.max(0, atOnce + guestsMax - running - limit) };
      const due = await store.claimDue({ keyId: key.keyId, limit, holdMs, share });
      for (const delivery of due) this.#begin(delivery);
      if (due.length > 0) continue;
      // What was left, if anything, waits for the share of its tenant.
      this.#mayHaveMore = limit === 0 || Object.values(held).some((count) => count >= share.heldMax);
      if (!this.#mayHaveMore || !this.#endedSince) return;
    }
  }

  #begin(delivery: DueDelivery): void {
    this.#perTenant.add(delivery.tenantId, 1);
    const running = this.#deliver(delivery)
      .catch((thrown: unknown) =>
        this.#deps.log.warn('the result of a webhook could not be stored', {
          code: asSondeError(thrown).code,
        }),
      )
      .then(() => {
        this.#running.delete(running);
        this.#endedSince = true;
        this.#perTenant.add(delivery.tenantId, -1);
        if (this.#mayHaveMore) void this.#refill();
      });
    this.#running.add(running);
  }

  async #deliver(due: DueDelivery): Promise<void> {
    const { store, log, random } = this.#deps;
    const { delivered, result } = await this.#post(due);
    // Interrupted by our own stop: the hold expires, and another process retries.
    if (!delivered && this.#abort.signal.aborted) return;
    const { deliveryId, attempt, webhookId, type } = due;
    const isLast = attempt >= DELIVERY_LIMITS.attemptsMax;
    const outcome: DeliverySettlement['outcome'] = delivered ? 'delivered' : isLast ? 'failed' : 'again';
    if (!delivered) log.warn('a webhook was not delivered', { webhookId, type, attempt, result, outcome });
    const delayMs = backoffMs(attempt, DELIVERY_LIMITS, random());
    this.ended[outcome]++;
    await store.settle({ deliveryId, attempt, outcome, result, delayMs });
  }

  async #post(due: DueDelivery): Promise<{ delivered: boolean; result: string }> {
    const { outbound, key, clock } = this.#deps;
    const { deliveryId: id, url, type, data, createdAt } = due;
    const seconds = Math.floor(clock() / 1000);
    const body = JSON.stringify({ type, timestamp: new Date(createdAt).toISOString(), data });
    const signature = signWebhook(key.secretOf(due.webhookId), { id, seconds, body });
    try {
      const { status } = await outbound.deliver({
        url,
        headers: [
          ['content-type', 'application/json'],
          ['webhook-id', id],
          ['webhook-timestamp', String(seconds)],
          ['webhook-signature', signature],
        ],
        body: new TextEncoder().encode(body),
        signal: this.#abort.signal,
      });
      return { delivered: status >= 200 && status < 300, result: String(status) };
    } catch (thrown) {
      return { delivered: false, result: asSondeError(thrown, 'fetch_error').code };
    }
  }
}
