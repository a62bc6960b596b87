/** A tenant's webhook and its deliveries. The secret is derived, never stored. */
import { ENDED_STATUSES, type EndedStatus } from '../job.js';
import { type JobKind, KIND_NAMES } from '../job-kinds.js';
import type { WorkerShare } from '../job-store.js';

/** `audit.done`, `hello.failed`, …: the kind of job and how it ended. */
export type WebhookEventType = `${JobKind}.${EndedStatus}`;

export const WEBHOOK_EVENT_TYPES = KIND_NAMES.flatMap((kind) =>
  ENDED_STATUSES.map((status) => `${kind}.${status}` as const),
) as [WebhookEventType, ...WebhookEventType[]];

export interface Webhook {
  readonly webhookId: string;
  readonly tenantId: string;
  readonly url: string;
  readonly events: readonly WebhookEventType[];
  /** Identifies the server key that the secret is derived from. */
  readonly keyId: string;
  readonly createdAt: number;
  /** The result of the last delivery attempt. */
  readonly lastStatus: string | null;
  readonly lastAt: number | null;
}

export type NewWebhook = Omit<Webhook, 'createdAt' | 'lastStatus' | 'lastAt'>;

/** A delivery that is due, held for a while by the process that claimed it. */
export interface DueDelivery extends Pick<Webhook, 'webhookId' | 'tenantId' | 'url'> {
  readonly deliveryId: string;
  readonly type: WebhookEventType;
  readonly data: unknown;
  readonly createdAt: number;
  /** The number of this attempt; also the fencing token of its hold. */
  readonly attempt: number;
}

export interface DeliverySettlement {
  readonly deliveryId: string;
  readonly attempt: number;
  readonly outcome: 'delivered' | 'again' | 'failed';
  readonly delayMs: number;
  /** The receiver's status, or an error code. */
  readonly result: string;
}

export interface DeliveryClaim {
  readonly keyId: string;
  readonly limit: number;
  readonly holdMs: number;
  /** If absent, a tenant may take all. */
  readonly share?: WorkerShare;
}

/** The store itself creates deliveries, in the transaction that ends a job. */
export interface WebhookStore {
  create(webhook: NewWebhook, max: number): Promise<'created' | 'exists' | 'full'>;
  get(tenantId: string, webhookId: string): Promise<Webhook | undefined>;
  list(tenantId: string): Promise<readonly Webhook[]>;
  /** Also removes its deliveries. Resolves to false if there was no such webhook. */
  remove(tenantId: string, webhookId: string): Promise<boolean>;
  /** Claims due deliveries: first of the tenants with the fewest in progress, then those that have been due longest. */
  claimDue(request: DeliveryClaim): Promise<readonly DueDelivery[]>;
  settle(settlement: DeliverySettlement): Promise<boolean>;
  /** Removes deliveries that ended more than `olderThanMs` ago; returns how many. */
  prune(request: { readonly olderThanMs: number; readonly limit: number }): Promise<number>;
}
