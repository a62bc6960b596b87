/**
 * The store of a pair that was never compared. A request with any name creates an object, so tables are created only by
 * the first comparison, and a mere read stores nothing.
 */
import type { ComparisonStore } from '../../../compare/index.js';
import type { SqlDatabase } from '../../../stores/sqlite/sql-database.js';

export const UNMADE_PAIR: Omit<ComparisonStore, 'createComparison'> = {
  saveProbe: async () => false,
  saveResult: async () => false,
  failComparison: async () => false,
  saveExplanation: async () => false,
  getComparison: async () => undefined,
  getProbes: async () => [],
  getSealed: async () => undefined,
  getComparisonsForHistory: async () => [],
  acceptFindings: async () => false,
  getAccepted: async () => [],
  removeAccepted: async () => false,
  removeComparison: async () => 'missing',
  removePair: async () => ({ kind: 'missing' }),
  listPairs: async () => [],
};

export function hasTables(database: SqlDatabase): boolean {
  return database.all("SELECT 1 FROM sqlite_master WHERE name = 'comparisons'", []).length > 0;
}
