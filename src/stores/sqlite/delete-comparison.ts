/** Removes a comparison or a suite with the rows that hang on it, since not every host enforces foreign keys. */
import type { SqlDatabase } from './sql-database.js';

const OF_COMPARISON = [
  `DELETE FROM probe_samples WHERE probe_id IN (SELECT id FROM probes WHERE comparison_id = ?)`,
  'DELETE FROM probes WHERE comparison_id = ?',
  'DELETE FROM explanations WHERE comparison_id = ?',
  'DELETE FROM comparisons WHERE id = ?',
];

const OF_SUITE = ['DELETE FROM suite_paths WHERE suite_id = ?', 'DELETE FROM suites WHERE id = ?'];

export function deleteComparison(database: SqlDatabase, comparisonId: string): void {
  for (const sql of OF_COMPARISON) database.run(sql, [comparisonId]);
}

export function deleteSuite(database: SqlDatabase, suiteId: string): void {
  for (const sql of OF_SUITE) database.run(sql, [suiteId]);
}
