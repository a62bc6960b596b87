/** The tables of audits: a row each, and a row for every part of a record. */
import type { Schema } from './prepare-schema.js';

export const AUDIT_SCHEMA: Schema = {
  name: 'audit',
  version: 1,
  tables: [
    `CREATE TABLE IF NOT EXISTS audits (
      id TEXT PRIMARY KEY,
      tenant_id TEXT NOT NULL,
      url TEXT NOT NULL,
      canonical_url TEXT NOT NULL,
      options_json TEXT NOT NULL,
      recipe_version TEXT NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'done', 'failed', 'canceled')),
      score INTEGER,
      report_ref TEXT,
      created_at INTEGER NOT NULL,
      finished_at INTEGER
    ) WITHOUT ROWID`,
    'CREATE INDEX IF NOT EXISTS audits_by_tenant ON audits (tenant_id, created_at DESC, id DESC)',
    `CREATE TABLE IF NOT EXISTS audit_parts (
      audit_id TEXT NOT NULL,
      part TEXT NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (audit_id, part)
    ) WITHOUT ROWID`,
  ],
};
