-- Comparisons and suites of them. Times are milliseconds since the epoch, by the clock of whoever writes, as on the
-- embedded engine: both keep the same rows.

CREATE TABLE comparisons (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  pair_key TEXT NOT NULL,
  ts BIGINT NOT NULL,
  left_url TEXT NOT NULL,
  right_url TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'running',
  result_json TEXT,
  error TEXT,
  options_json TEXT NOT NULL DEFAULT '{}',
  lease_until BIGINT NOT NULL,
  left_sealed BYTEA,
  right_sealed BYTEA,
  CONSTRAINT comparison_status CHECK (status IN ('running', 'completed', 'failed')),
  CONSTRAINT comparison_result CHECK ((status = 'completed') = (result_json IS NOT NULL)),
  CONSTRAINT comparison_error CHECK ((status = 'failed') = (error IS NOT NULL)),
  CONSTRAINT comparison_sealed CHECK (
    status = 'running' OR (left_sealed IS NULL AND right_sealed IS NULL)
  )
);

CREATE INDEX idx_comparisons_ts ON comparisons (ts DESC);
CREATE INDEX idx_comparisons_status ON comparisons (status);
CREATE INDEX comparisons_of_pair ON comparisons (tenant_id, pair_key, ts DESC, id COLLATE "C" DESC);
CREATE INDEX comparisons_leased ON comparisons (lease_until) WHERE status = 'running';

CREATE TABLE probes (
  id TEXT PRIMARY KEY,
  comparison_id TEXT NOT NULL REFERENCES comparisons (id) ON DELETE CASCADE,
  ts BIGINT NOT NULL,
  side TEXT NOT NULL CHECK (side IN ('left', 'right')),
  url TEXT NOT NULL,
  envelope_json TEXT NOT NULL,
  UNIQUE (comparison_id, side)
);

CREATE INDEX idx_probes_comparison ON probes (comparison_id);
CREATE INDEX idx_probes_side ON probes (side);

CREATE TABLE probe_samples (
  probe_id TEXT NOT NULL REFERENCES probes (id) ON DELETE CASCADE,
  n INT NOT NULL CHECK (n >= 2),
  envelope_json TEXT NOT NULL,
  PRIMARY KEY (probe_id, n)
);

CREATE TABLE explanations (
  comparison_id TEXT PRIMARY KEY REFERENCES comparisons (id) ON DELETE CASCADE,
  state TEXT NOT NULL CHECK (state IN ('pending', 'ready', 'failed', 'off')),
  text_json TEXT,
  model TEXT,
  prompt_version INT
);

CREATE TABLE suites (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  ts BIGINT NOT NULL,
  left_url TEXT NOT NULL,
  right_url TEXT NOT NULL,
  options_json TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'running',
  findings_json TEXT,
  notes_json TEXT,
  error TEXT,
  lease_until BIGINT NOT NULL,
  left_sealed BYTEA,
  right_sealed BYTEA,
  CONSTRAINT suite_status CHECK (status IN ('running', 'completed', 'failed')),
  CONSTRAINT suite_error CHECK ((status = 'failed') = (error IS NOT NULL)),
  CONSTRAINT suite_sealed CHECK (status = 'running' OR (left_sealed IS NULL AND right_sealed IS NULL))
);

CREATE INDEX suites_of_tenant ON suites (tenant_id, ts DESC, id COLLATE "C" DESC);
CREATE INDEX suites_leased ON suites (lease_until) WHERE status = 'running';

CREATE TABLE suite_paths (
  suite_id TEXT NOT NULL REFERENCES suites (id) ON DELETE CASCADE,
  n INT NOT NULL,
  path TEXT NOT NULL,
  comparison_id TEXT NOT NULL,
  verdict TEXT CHECK (verdict IN ('pass', 'warn', 'fail', 'inconclusive', 'failed')),
  findings INT,
  PRIMARY KEY (suite_id, n)
);
