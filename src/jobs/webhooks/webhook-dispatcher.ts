/**
 * Delivers the webhooks that the store has queued: at least once, in no guaranteed order, with one id for all attempts
 * of a delivery. Attempts are spread over about three days with full jitter, then the delivery is given up. Several
 * processes may run a dispatcher: a claimed delivery is held, and becomes due again if its holder dies.
 */
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
  pollMs: 2_000,
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
  #timer: ReturnType<typeof setTimeout> | undefined;
  #turn: Promise<void> | undefined;

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
  }

  start(): void {
    const { pollMs = DELIVERY_LIMITS.pollMs, random } = this.#deps;
    this.#timer = setTimeout(() => this.wake(), pollMs * (0.5 + random()));
  }

  /** There may be something to deliver. */
  wake(): void {
    if (this.#turn !== undefined) return;
    clearTimeout(this.#timer);
    this.#turn = this.deliverDue()
      .catch((thrown: unknown) => {
        const { code } = asSondeError(thrown);
        const repeated = this.#faultLog.pass(code);
        if (repeated) this.#deps.log.warn('due webhooks could not be read', { code, ...repeated });
      })
      .finally(() => {
        this.#turn = undefined;
        if (!this.#abort.signal.aborted) this.start();
      });
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    clearTimeout(this.#timer);
    await this.#turn;
  }

  /** Delivers what is due now, once; for hosts with their own alarm. */
  async deliverDue(): Promise<void> {
    const { store, key } = this.#deps;
    const { atOnce, holdMs } = DELIVERY_LIMITS;
    for (let found: number = atOnce; found === atOnce && !this.#abort.signal.aborted; ) {
      const due = await store.claimDue({ keyId: key.keyId, limit: atOnce, holdMs });
      found = due.length;
      await Promise.all(due.map((delivery) => this.#deliver(delivery)));
    }
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
