/** Rows of comparisons as the types of the port. */
import type { ComparisonRow, ComparisonStatus, ExplanationState, PairSummary } from '../../compare/index.js';
import type { SqlRow, SqlValue } from './sql-database.js';
import { numberOrNull, textOrNull } from './sql-values.js';

/** Everything but the sealed sides, which leave the store by one method only. */
export const COMPARISON_COLUMNS = `c.id, c.tenant_id, c.pair_key, c.ts, c.left_url, c.right_url, c.status,
  c.result_json, c.error, c.options_json, e.state, e.text_json, e.model, e.prompt_version`;

export function comparisonOf(row: SqlRow): ComparisonRow {
  return {
    tenantId: text(row['tenant_id']),
    comparisonId: text(row['id']),
    pairKey: text(row['pair_key']),
    ts: Number(row['ts']),
    leftUrl: text(row['left_url']),
    rightUrl: text(row['right_url']),
    optionsJson: text(row['options_json']),
    status: statusOf(row['status']),
    resultJson: textOrNull(row['result_json']),
    error: textOrNull(row['error']),
    explanation: {
      state: (textOrNull(row['state']) ?? 'off') as ExplanationState,
      textJson: textOrNull(row['text_json']),
      model: textOrNull(row['model']),
      promptVersion: numberOrNull(row['prompt_version']),
    },
  };
}

export function pairOf(row: SqlRow): PairSummary {
  return {
    pairKey: text(row['pair_key']),
    leftUrl: text(row['left_url']),
    rightUrl: text(row['right_url']),
    comparisons: Number(row['comparisons']),
    lastTs: Number(row['ts']),
    lastComparisonId: text(row['id']),
    lastStatus: statusOf(row['status']),
  };
}

export function statusOf(value: SqlValue | undefined): ComparisonStatus {
  return text(value) as ComparisonStatus;
}

export function text(value: SqlValue | undefined): string {
  return String(value);
}
