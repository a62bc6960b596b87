/** Webhooks and their deliveries on SQLite. A trigger on the table of jobs inserts the deliveries. */
import {
  DELIVERY_LIMITS,
  type DeliverySettlement,
  type NewWebhook,
  type WebhookStore,
} from '../../jobs/index.js';
import type { SqlDatabase } from './sql-database.js';
import { deliveryOf, webhookOf } from './sql-rows.js';
import type { SyncPort } from './sync-port.js';

export class SqliteWebhookStore implements SyncPort<WebhookStore> {
  readonly #database: SqlDatabase;
  readonly #clock: () => number;
  readonly #mayDestroy: () => boolean;

  constructor(database: SqlDatabase, clock: () => number, mayDestroy: () => boolean = () => true) {
    this.#database = database;
    this.#clock = clock;
    this.#mayDestroy = mayDestroy;
  }

  create({ webhookId, tenantId, url, events, keyId }: NewWebhook, max: number) {
    if (this.get(tenantId, webhookId)) return 'exists' as const;
    if (this.list(tenantId).length >= max) return 'full' as const;
    this.#database.run(INSERT, [webhookId, tenantId, url, JSON.stringify(events), keyId, this.#clock()]);
    return 'created' as const;
  }

  get(tenantId: string, webhookId: string) {
    return this.#database
      .all('SELECT * FROM webhooks WHERE tenant_id = ? AND webhook_id = ?', [tenantId, webhookId])
      .map(webhookOf)[0];
  }

  list(tenantId: string) {
    return this.#database
      .all('SELECT * FROM webhooks WHERE tenant_id = ? ORDER BY created_at, webhook_id', [tenantId])
      .map(webhookOf);
  }

  remove(tenantId: string, webhookId: string) {
    if (!this.get(tenantId, webhookId)) return false;
    this.#database.run('DELETE FROM webhook_deliveries WHERE webhook_id = ?', [webhookId]);
    this.#database.run('DELETE FROM webhooks WHERE webhook_id = ?', [webhookId]);
    return true;
  }

  claimDue({ keyId, limit, holdMs }: { keyId: string; limit: number; holdMs: number }) {
    const now = this.#clock();
    const rows = [...this.#database.all(SELECT_DUE, [now, keyId, limit])];
    const more = (sql: string, after: number) =>
      rows.length < limit ? this.#database.all(sql, [after, keyId, limit - rows.length]) : [];
    rows.push(...more(SELECT_FRESH, now));
    rows.push(...more(SELECT_AHEAD, now + DELIVERY_LIMITS.aheadMaxMs));
    return rows.map((row) => {
      const held = deliveryOf(row);
      const delivery = { ...held, attempt: held.attempt + 1 };
      this.#database.run('UPDATE webhook_deliveries SET attempt = ?, due_at = ? WHERE delivery_id = ?', [
        delivery.attempt,
        now + holdMs,
        delivery.deliveryId,
      ]);
      return delivery;
    });
  }

  settle({ deliveryId, attempt, outcome, delayMs, result }: DeliverySettlement) {
    const [held] = this.#database.all(SELECT_HELD, [deliveryId, attempt]);
    if (!held) return false;
    const now = this.#clock();
    this.#database.run('UPDATE webhook_deliveries SET state = ?, due_at = ? WHERE delivery_id = ?', [
      outcome === 'again' ? 'due' : outcome,
      now + delayMs,
      deliveryId,
    ]);
    this.#database.run('UPDATE webhooks SET last_status = ?, last_at = ? WHERE webhook_id = ?', [
      result,
      now,
      held['webhook_id'] ?? null,
    ]);
    return true;
  }

  prune({ olderThanMs, limit }: { olderThanMs: number; limit: number }) {
    if (!this.#mayDestroy()) return 0;
    return this.#database.all(DELETE_OLD, [this.#clock() - olderThanMs, limit]).length;
  }
}

const INSERT = `INSERT INTO webhooks (webhook_id, tenant_id, url, events_json, key_id, created_at)
  VALUES (?, ?, ?, ?, ?, ?)`;
const due = (when: string) => `SELECT d.*, w.url, w.tenant_id
  FROM webhook_deliveries d JOIN webhooks w USING (webhook_id)
  WHERE d.state = 'due' AND ${when} AND w.key_id = ? ORDER BY d.due_at LIMIT ?`;
const SELECT_DUE = due('d.due_at <= ?');
/** Not tried yet, so due at once: its job ended by a clock that was ahead. */
const SELECT_FRESH = due('d.attempt = 0 AND d.due_at > ?');
/** Scheduled by a clock that was ahead. */
const SELECT_AHEAD = due('d.attempt > 0 AND d.due_at > ?');
const SELECT_HELD = `SELECT webhook_id FROM webhook_deliveries
  WHERE delivery_id = ? AND attempt = ? AND state = 'due'`;
const DELETE_OLD = `DELETE FROM webhook_deliveries WHERE delivery_id IN (
  SELECT delivery_id FROM webhook_deliveries WHERE state <> 'due' AND created_at < ? ORDER BY created_at LIMIT ?
) RETURNING delivery_id`;
