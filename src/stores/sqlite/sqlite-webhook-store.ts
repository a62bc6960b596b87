/** Webhooks and their deliveries on SQLite. A trigger on the table of jobs inserts the deliveries. */
import {
  DELIVERY_LIMITS,
  type DeliveryClaim,
  type DeliverySettlement,
  type NewWebhook,
  type WebhookStore,
} from '../../jobs/index.js';
import { type Candidate, chooseFairly } from './choose-fairly.js';
import type { SqlDatabase, SqlRow } from './sql-database.js';
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

  claimDue({ keyId, limit, holdMs, share }: DeliveryClaim) {
    const now = this.#clock();
    const candidates: Candidate<SqlRow>[] = [];
    for (const [tenantId, rows] of this.#dueByTenant(keyId, now, Math.max(limit, 1))) {
      const held = share?.held[tenantId] ?? 0;
      const isFirst = share !== undefined && held === 0;
      const room = Math.max((share?.heldMax ?? limit) - held, Number(isFirst));
      for (const [index, row] of rows.slice(0, room).entries()) {
        candidates.push({ item: row, place: held + index, isGuest: isFirst && index === 0 });
      }
    }
    return chooseFairly(candidates, limit, share?.guests ?? 0).map((row) => {
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

  /** The longest due come first, also among the tenants. Each webhook is one lookup in an index. */
  #dueByTenant(keyId: string, now: number, limit: number): ReadonlyMap<string, SqlRow[]> {
    const aheadFrom = now + DELIVERY_LIMITS.aheadMaxMs;
    const due: SqlRow[] = [];
    const fresh: SqlRow[] = [];
    const ahead: SqlRow[] = [];
    for (let webhookId: string | undefined = this.#nextWebhook(''); webhookId !== undefined; ) {
      due.push(...this.#database.all(SELECT_DUE, [webhookId, now, keyId, limit]));
      fresh.push(...this.#database.all(SELECT_FRESH, [webhookId, now, keyId, limit]));
      ahead.push(...this.#database.all(SELECT_AHEAD, [webhookId, aheadFrom, keyId, limit]));
      webhookId = this.#nextWebhook(webhookId);
    }
    const byTenant = new Map<string, SqlRow[]>();
    for (const row of [...due.sort(byDueTime), ...fresh.sort(byDueTime), ...ahead.sort(byDueTime)]) {
      const tenantId = String(row['tenant_id']);
      byTenant.set(tenantId, [...(byTenant.get(tenantId) ?? []), row]);
    }
    return byTenant;
  }

  #nextWebhook(after: string): string | undefined {
    const [row] = this.#database.all(SELECT_NEXT_WEBHOOK, [after]);
    return row && String(row['webhook_id']);
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
const SELECT_NEXT_WEBHOOK = `SELECT webhook_id FROM webhook_deliveries
  WHERE state = 'due' AND webhook_id > ? ORDER BY webhook_id LIMIT 1`;
const due = (when: string) => `SELECT d.*, w.url, w.tenant_id
  FROM webhooks w CROSS JOIN webhook_deliveries d USING (webhook_id)
  WHERE w.webhook_id = ? AND d.state = 'due' AND ${when} AND w.key_id = ? ORDER BY d.due_at LIMIT ?`;
const SELECT_DUE = due('d.due_at <= ?');
/** Not tried yet, so due at once: its job ended by a clock that was ahead. */
const SELECT_FRESH = due('d.attempt = 0 AND d.due_at > ?');
/** Scheduled by a clock that was ahead. */
const SELECT_AHEAD = due('d.attempt > 0 AND d.due_at > ?');
const byDueTime = (a: SqlRow, b: SqlRow) => Number(a['due_at']) - Number(b['due_at']);
const SELECT_HELD = `SELECT webhook_id FROM webhook_deliveries
  WHERE delivery_id = ? AND attempt = ? AND state = 'due'`;
const DELETE_OLD = `DELETE FROM webhook_deliveries WHERE delivery_id IN (
  SELECT delivery_id FROM webhook_deliveries WHERE state <> 'due' AND created_at < ? ORDER BY created_at LIMIT ?
) RETURNING delivery_id`;
