-- compatible since 0005
-- Findings of a pair that were accepted. Not tied to comparisons: what was accepted outlives the comparison that showed it.

CREATE TABLE pair_baselines (
  tenant_id TEXT NOT NULL,
  pair_key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  comparison_id TEXT NOT NULL,
  accepted_at BIGINT NOT NULL,
  entry_json TEXT NOT NULL,
  PRIMARY KEY (tenant_id, pair_key, fingerprint)
);
