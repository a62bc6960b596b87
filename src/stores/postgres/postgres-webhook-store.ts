/** Webhooks and their deliveries on PostgreSQL. */
import type { DeliveryClaim, DeliverySettlement, NewWebhook, WebhookStore } from '../../jobs/index.js';
import { storableJson } from '../storable.js';
import { MAINTENANCE, type PgDatabase } from './pg-database.js';
import { deliveryOf, webhookOf } from './pg-rows.js';
import * as sql from './sql/webhooks.js';

export class PostgresWebhookStore implements WebhookStore {
  readonly #database: PgDatabase;

  constructor(database: PgDatabase) {
    this.#database = database;
  }

  async create({ webhookId, tenantId, url, events, keyId }: NewWebhook, max: number) {
    const params = [webhookId, tenantId, url, storableJson(events), keyId, max];
    const created = await this.#database.transaction(async (queries, mayHaveCommitted) => {
      if ((await queries.query(sql.INSERT_WEBHOOK, params)).length > 0) return true;
      return mayHaveCommitted && (await queries.query(sql.SELECT_WEBHOOK, [tenantId, webhookId])).length > 0;
    });
    if (created) return 'created' as const;
    return (await this.get(tenantId, webhookId)) ? ('exists' as const) : ('full' as const);
  }

  async get(tenantId: string, webhookId: string) {
    const [row] = await this.#database.query(sql.SELECT_WEBHOOK, [tenantId, webhookId]);
    return row && webhookOf(row);
  }

  async list(tenantId: string) {
    return (await this.#database.query(sql.SELECT_WEBHOOKS, [tenantId])).map(webhookOf);
  }

  async remove(tenantId: string, webhookId: string) {
    return this.#database.transaction(async (queries, mayHaveCommitted) => {
      const deleted = await queries.query(sql.DELETE_WEBHOOK, [tenantId, webhookId]);
      return deleted.length > 0 || mayHaveCommitted;
    });
  }

  async claimDue({ keyId, limit, holdMs, share }: DeliveryClaim) {
    const held = storableJson(share?.held ?? {});
    // Without a share, a tenant may take all, and there are no guests.
    const params = [keyId, limit, holdMs, held, share?.heldMax ?? limit, share?.guests ?? 0];
    return (await this.#database.query(sql.CLAIM_DELIVERIES, params)).map(deliveryOf);
  }

  async settle({ deliveryId, attempt, outcome, delayMs, result }: DeliverySettlement) {
    const state = outcome === 'again' ? 'due' : outcome;
    const params = [deliveryId, attempt, state, delayMs, result];
    return (await this.#database.query(sql.SETTLE_DELIVERY, params)).length > 0;
  }

  async prune({ olderThanMs, limit }: { olderThanMs: number; limit: number }) {
    const { time } = this.#database;
    return this.#database.transaction(async (queries) => {
      if ((await time.mayDestroy(queries)) === undefined) return 0;
      return (await queries.query(sql.PRUNE_DELIVERIES, [olderThanMs, limit])).length;
    }, MAINTENANCE);
  }
}
