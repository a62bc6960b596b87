/** The tables of suites: one row per suite, and one row per path. */
import type { Schema } from './prepare-schema.js';

const TABLES = [
  `CREATE TABLE IF NOT EXISTS suites (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL,
    ts INTEGER NOT NULL,
    left_url TEXT NOT NULL,
    right_url TEXT NOT NULL,
    options_json TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'completed', 'failed')),
    findings_json TEXT,
    notes_json TEXT,
    error TEXT,
    left_sealed BLOB,
    right_sealed BLOB,
    CONSTRAINT error_of_failed CHECK ((status = 'failed') = (error IS NOT NULL)),
    CONSTRAINT sealed_while_running CHECK (
      status = 'running' OR (left_sealed IS NULL AND right_sealed IS NULL)
    )
  )`,
  'CREATE INDEX IF NOT EXISTS suites_of_tenant ON suites (tenant_id, ts DESC, id DESC)',
  'CREATE INDEX IF NOT EXISTS suites_by_ts ON suites (ts)',
  `CREATE INDEX IF NOT EXISTS suites_running ON suites (tenant_id) WHERE status = 'running'`,
  `CREATE TABLE IF NOT EXISTS suite_paths (
    suite_id TEXT NOT NULL,
    n INTEGER NOT NULL,
    path TEXT NOT NULL,
    comparison_id TEXT NOT NULL,
    verdict TEXT CHECK (verdict IN ('pass', 'warn', 'fail', 'inconclusive', 'failed')),
    findings INTEGER,
    PRIMARY KEY (suite_id, n),
    FOREIGN KEY (suite_id) REFERENCES suites (id) ON DELETE CASCADE
  ) WITHOUT ROWID`,
];

export const SUITE_SCHEMA: Schema = { name: 'suite', tables: TABLES, upgrades: [] };
