/** Finds rows that are sealed with a key of the server, to check at a start that they can be opened. */
import { bytesOrNull, query, type SqlWork, statement } from './sql-work.js';

export interface SealedRows {
  readonly webhooks: readonly { readonly webhookId: string; readonly url: string; readonly keyId: string }[];
  /** The sealed requests of comparisons and suites that have not ended. */
  readonly sides: readonly Uint8Array[];
}

export class SealedRowFinder {
  /** At most `limit` rows of each table; of webhooks the newest. */
  *find(limit: number): SqlWork<SealedRows> {
    const webhooks = yield* query(SELECT_WEBHOOKS, [limit]);
    const sides = [
      ...(yield* query(SELECT_COMPARISON_SIDES, [limit])),
      ...(yield* query(SELECT_SUITE_SIDES, [limit])),
    ];
    return {
      webhooks: webhooks.map((row) => ({
        webhookId: String(row['webhook_id']),
        url: String(row['url']),
        keyId: String(row['key_id']),
      })),
      sides: sides.flatMap((row) =>
        [row['left_sealed'], row['right_sealed']].flatMap((side) => bytesOrNull(side) ?? []),
      ),
    };
  }
}

/** Ids begin with the time of their creation. */
export const SELECT_WEBHOOKS = statement('select_sealed_webhooks')`
  SELECT webhook_id, url, key_id FROM webhooks ORDER BY webhook_id DESC LIMIT ?`;
export const SELECT_COMPARISON_SIDES = statement('select_sealed_comparisons')`
  SELECT left_sealed, right_sealed FROM comparisons WHERE status = 'running' LIMIT ?`;
export const SELECT_SUITE_SIDES = statement('select_sealed_suites')`
  SELECT left_sealed, right_sealed FROM suites WHERE status = 'running' LIMIT ?`;
