/**
 * The tables of subscriptions: one row per subscription, with its wake, and one row per stream that it follows and
 * have their own version. The receiver's URL is sealed.
 */
import type { Schema } from './prepare-schema.js';

const TABLES = [
  `CREATE TABLE IF NOT EXISTS subscriptions (
    tenant TEXT NOT NULL,
    subscription_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    pattern TEXT,
    webhook_sealed TEXT,
    wake_stream TEXT,
    lease_ms INTEGER NOT NULL,
    description TEXT,
    created_at INTEGER NOT NULL,
    nonce TEXT NOT NULL,
    base_url TEXT NOT NULL,
    config_hash TEXT NOT NULL,
    phase TEXT NOT NULL,
    generation INTEGER NOT NULL,
    failing INTEGER NOT NULL,
    wake_id TEXT,
    attempts INTEGER,
    due_at INTEGER,
    holder TEXT,
    PRIMARY KEY (tenant, subscription_id)
  ) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS subscription_links (
    tenant TEXT NOT NULL,
    subscription_id TEXT NOT NULL,
    path TEXT NOT NULL,
    explicit INTEGER NOT NULL,
    stream_hash TEXT,
    tail_chunk INTEGER,
    tail_position INTEGER,
    acked_chunk INTEGER,
    acked_position INTEGER,
    pending INTEGER NOT NULL,
    PRIMARY KEY (tenant, subscription_id, path)
  ) WITHOUT ROWID`,
  `CREATE INDEX IF NOT EXISTS subscription_links_pending
    ON subscription_links (tenant, subscription_id, path) WHERE pending = 1`,
];

export const SUBSCRIPTION_SCHEMA: Schema = { name: 'subscription', tables: TABLES, upgrades: [] };
