/**
 * The tables of comparisons: `comparisons` and `probes` with their samples and explanations, the pairs and their
 * baselines. A comparison's id is unique across tenants.
 */
import type { Schema } from './prepare-schema.js';

/**
 * The newest comparison, the newest outside suites, and the number of comparisons of each pair, so that a list reads
 * only the rows it shows.
 */
const PAIRS_TABLE = `CREATE TABLE IF NOT EXISTS pairs (
  tenant_id TEXT NOT NULL,
  pair_key TEXT NOT NULL,
  comparisons INTEGER NOT NULL,
  last_ts INTEGER NOT NULL,
  last_id TEXT NOT NULL,
  own_ts INTEGER,
  own_id TEXT,
  PRIMARY KEY (tenant_id, pair_key)
) WITHOUT ROWID`;

const TABLES = [
  `CREATE TABLE IF NOT EXISTS comparisons (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL DEFAULT 'default',
    pair_key TEXT NOT NULL GENERATED ALWAYS AS (substr(id, 1, instr(id || ':', ':') - 1)) STORED,
    ts INTEGER NOT NULL,
    left_url TEXT NOT NULL,
    right_url TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'running',
    result_json TEXT,
    error TEXT,
    options_json TEXT NOT NULL DEFAULT '{}',
    left_sealed BLOB,
    right_sealed BLOB,
    suite_id TEXT,
    job_id TEXT,
    CONSTRAINT status_check CHECK (status IN ('running', 'completed', 'failed')),
    CONSTRAINT result_of_completed CHECK ((status = 'completed') = (result_json IS NOT NULL)),
    CONSTRAINT error_of_failed CHECK ((status = 'failed') = (error IS NOT NULL)),
    CONSTRAINT sealed_while_running CHECK (
      status = 'running' OR (left_sealed IS NULL AND right_sealed IS NULL)
    )
  )`,
  'CREATE INDEX IF NOT EXISTS idx_comparisons_ts ON comparisons (ts DESC)',
  'CREATE INDEX IF NOT EXISTS idx_comparisons_status ON comparisons (status)',
  'CREATE INDEX IF NOT EXISTS comparisons_of_pair ON comparisons (tenant_id, pair_key, ts DESC, id DESC)',
  'CREATE INDEX IF NOT EXISTS comparisons_of_job ON comparisons (job_id) WHERE job_id IS NOT NULL',
  `CREATE TABLE IF NOT EXISTS probes (
    id TEXT PRIMARY KEY,
    comparison_id TEXT NOT NULL,
    ts INTEGER NOT NULL,
    side TEXT NOT NULL,
    url TEXT NOT NULL,
    envelope_json TEXT NOT NULL,
    UNIQUE (comparison_id, side),
    CONSTRAINT side_check CHECK (side IN ('left', 'right')),
    FOREIGN KEY (comparison_id) REFERENCES comparisons (id) ON DELETE CASCADE
  )`,
  'CREATE INDEX IF NOT EXISTS idx_probes_comparison ON probes (comparison_id)',
  'CREATE INDEX IF NOT EXISTS idx_probes_side ON probes (side)',
  `CREATE TABLE IF NOT EXISTS probe_samples (
    probe_id TEXT NOT NULL,
    n INTEGER NOT NULL CHECK (n >= 2),
    envelope_json TEXT NOT NULL,
    PRIMARY KEY (probe_id, n),
    FOREIGN KEY (probe_id) REFERENCES probes (id) ON DELETE CASCADE
  ) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS explanations (
    comparison_id TEXT PRIMARY KEY,
    state TEXT NOT NULL CHECK (state IN ('pending', 'ready', 'failed', 'off')),
    text_json TEXT,
    model TEXT,
    prompt_version INTEGER,
    FOREIGN KEY (comparison_id) REFERENCES comparisons (id) ON DELETE CASCADE
  ) WITHOUT ROWID`,
  // No foreign key to comparisons: an accepted finding outlives the comparison that reported it.
  `CREATE TABLE IF NOT EXISTS pair_baselines (
    tenant_id TEXT NOT NULL,
    pair_key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    comparison_id TEXT NOT NULL,
    accepted_at INTEGER NOT NULL,
    entry_json TEXT NOT NULL,
    PRIMARY KEY (tenant_id, pair_key, fingerprint)
  ) WITHOUT ROWID`,
  PAIRS_TABLE,
];

/** Whether NEW becomes the pair's newest comparison outside suites. */
const IS_NEWEST_OWN = 'NEW.suite_id IS NULL AND (own_ts IS NULL OR (NEW.ts, NEW.id) > (own_ts, own_id))';

const newestOf = (columns: string, id: string, condition: string) => `
      UPDATE pairs SET (${columns}) = (
        SELECT ts, id FROM comparisons WHERE tenant_id = OLD.tenant_id AND pair_key = OLD.pair_key${condition}
        ORDER BY ts DESC, id DESC LIMIT 1
      ) WHERE tenant_id = OLD.tenant_id AND pair_key = OLD.pair_key AND ${id} = OLD.id;`;

const TRIGGERS = [
  `CREATE TRIGGER IF NOT EXISTS comparison_is_noted AFTER INSERT ON comparisons
    BEGIN
      INSERT INTO pairs (tenant_id, pair_key, comparisons, last_ts, last_id, own_ts, own_id)
      VALUES (NEW.tenant_id, NEW.pair_key, 1, NEW.ts, NEW.id,
        CASE WHEN NEW.suite_id IS NULL THEN NEW.ts END, CASE WHEN NEW.suite_id IS NULL THEN NEW.id END)
      ON CONFLICT (tenant_id, pair_key) DO UPDATE SET comparisons = comparisons + 1,
        last_ts = max(last_ts, excluded.last_ts),
        last_id = CASE WHEN (excluded.last_ts, excluded.last_id) > (last_ts, last_id)
          THEN excluded.last_id ELSE last_id END,
        own_ts = CASE WHEN ${IS_NEWEST_OWN} THEN NEW.ts ELSE own_ts END,
        own_id = CASE WHEN ${IS_NEWEST_OWN} THEN NEW.id ELSE own_id END;
    END`,
  `CREATE TRIGGER IF NOT EXISTS removed_comparison_is_noted AFTER DELETE ON comparisons
    BEGIN
      UPDATE pairs SET comparisons = comparisons - 1
      WHERE tenant_id = OLD.tenant_id AND pair_key = OLD.pair_key;
      DELETE FROM pairs WHERE tenant_id = OLD.tenant_id AND pair_key = OLD.pair_key AND comparisons <= 0;
${newestOf('last_ts, last_id', 'last_id', '').slice(1)}${newestOf('own_ts, own_id', 'own_id', ' AND suite_id IS NULL')}
    END`,
];

export const COMPARISON_SCHEMA: Schema = {
  name: 'comparison',
  tables: TABLES,
  upgrades: [],
  indexes: [
    'CREATE INDEX IF NOT EXISTS pairs_newest ON pairs (tenant_id, last_ts, last_id)',
    'CREATE INDEX IF NOT EXISTS pairs_own ON pairs (tenant_id, own_ts, own_id)',
    ...TRIGGERS,
  ],
};
