/**
 * Delivers what the store has put down for webhooks: at least once, in no promised order, each under one id for
 * all its tries. Tries are spread over about three days with full jitter and then given up. Several processes
 * may run one: a claimed delivery is held, and comes back if its holder dies.
 */
import { asSondeError } from '../../errors.js';
import type { Log } from '../../log.js';
import { type Backoff, backoffMs } from '../backoff.js';
import { signWebhook, type WebhookKey } from './sign-webhook.js';
import type { DeliverySettlement, DueDelivery, WebhookStore } from './webhook.js';

/** The only way out; bounds time and response itself, and follows no redirect. */
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
  /** What is due later than this was put down by a clock that was ahead, and is due now. */
  aheadMaxMs: 12 * 3_600_000,
  holdMs: 60_000,
  atOnce: 8,
  pollMs: 2_000,
  keepMs: 7 * 86_400_000,
} as const;

const BACKOFF: Backoff = { firstMs: DELIVERY_LIMITS.firstMs, maxMs: DELIVERY_LIMITS.maxMs };

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
  readonly #abort = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #turn: Promise<void> | undefined;

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#timer = setTimeout(() => this.wake(), this.#everyMs());
  }

  /** There may be something to deliver. */
  wake(): void {
    if (this.#turn || this.#abort.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#turn = this.deliverDue()
      .catch((thrown: unknown) =>
        this.#deps.log.warn('due webhooks could not be read', { code: asSondeError(thrown).code }),
      )
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

  #everyMs(): number {
    return (this.#deps.pollMs ?? DELIVERY_LIMITS.pollMs) * (0.5 + this.#deps.random());
  }

  /** What is due now, once; for a host that has an alarm of its own. */
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
    // Interrupted by our own stop: the hold expires and another process tries.
    if (!delivered && this.#abort.signal.aborted) return;
    const { deliveryId, attempt, webhookId, type } = due;
    const over = attempt >= DELIVERY_LIMITS.attemptsMax;
    const outcome: DeliverySettlement['outcome'] = delivered ? 'delivered' : over ? 'failed' : 'again';
    if (!delivered) log.warn('a webhook was not delivered', { webhookId, type, attempt, result, outcome });
    await store.settle({
      deliveryId,
      attempt,
      outcome,
      result,
      delayMs: backoffMs(attempt, BACKOFF, random()),
    });
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
