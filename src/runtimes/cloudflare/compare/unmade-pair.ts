/**
 * The responses of a pair that was never compared. Any name reaches an object, even a made-up one; tables
 * are made by the first comparison, so that asking leaves nothing behind.
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
  endExpired: async () => [],
};

export function isMade(database: SqlDatabase): boolean {
  return database.all("SELECT 1 FROM sqlite_master WHERE name = 'comparisons'", []).length > 0;
}
