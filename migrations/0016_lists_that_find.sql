-- compatible since 0005
-- Lists of pairs that were compared on their own, and of the audits of one site.

ALTER TABLE comparisons ADD COLUMN suite_id TEXT;
ALTER TABLE pairs ADD COLUMN own_ts BIGINT, ADD COLUMN own_id TEXT COLLATE "C";

UPDATE comparisons c SET suite_id = p.suite_id FROM suite_paths p WHERE p.comparison_id = c.id;
UPDATE pairs p SET own_ts = c.ts, own_id = c.id FROM (
  SELECT DISTINCT ON (tenant_id, pair_key) tenant_id, pair_key, ts, id FROM comparisons WHERE suite_id IS NULL
  ORDER BY tenant_id, pair_key, ts DESC, id COLLATE "C" DESC
) c
WHERE p.tenant_id = c.tenant_id AND p.pair_key = c.pair_key;
CREATE INDEX pairs_own ON pairs (tenant_id, own_ts, own_id);

CREATE OR REPLACE FUNCTION note_new_comparison() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  new_own_ts BIGINT := CASE WHEN NEW.suite_id IS NULL THEN NEW.ts END;
  new_own_id TEXT := CASE WHEN NEW.suite_id IS NULL THEN NEW.id END;
BEGIN
  INSERT INTO pairs AS p (tenant_id, pair_key, comparisons, last_ts, last_id, own_ts, own_id)
  VALUES (NEW.tenant_id, NEW.pair_key, 1, NEW.ts, NEW.id, new_own_ts, new_own_id)
  ON CONFLICT (tenant_id, pair_key) DO UPDATE SET comparisons = p.comparisons + 1,
    last_ts = greatest(p.last_ts, excluded.last_ts),
    last_id = CASE WHEN (excluded.last_ts, excluded.last_id) > (p.last_ts, p.last_id)
      THEN excluded.last_id ELSE p.last_id END,
    own_ts = greatest(p.own_ts, excluded.own_ts),
    own_id = CASE WHEN p.own_ts IS NULL OR (excluded.own_ts, excluded.own_id) > (p.own_ts, p.own_id)
      THEN excluded.own_id ELSE p.own_id END;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION note_deleted_comparison() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE pairs SET comparisons = comparisons - 1 WHERE tenant_id = OLD.tenant_id AND pair_key = OLD.pair_key;
  DELETE FROM pairs WHERE tenant_id = OLD.tenant_id AND pair_key = OLD.pair_key AND comparisons <= 0;
  UPDATE pairs p SET last_ts = c.ts, last_id = c.id FROM (
    SELECT ts, id FROM comparisons WHERE tenant_id = OLD.tenant_id AND pair_key = OLD.pair_key
    ORDER BY ts DESC, id COLLATE "C" DESC LIMIT 1
  ) c
  WHERE p.tenant_id = OLD.tenant_id AND p.pair_key = OLD.pair_key AND p.last_id = OLD.id;
  UPDATE pairs p SET (own_ts, own_id) = (
    SELECT ts, id FROM comparisons
    WHERE tenant_id = OLD.tenant_id AND pair_key = OLD.pair_key AND suite_id IS NULL
    ORDER BY ts DESC, id COLLATE "C" DESC LIMIT 1
  )
  WHERE p.tenant_id = OLD.tenant_id AND p.pair_key = OLD.pair_key AND p.own_id = OLD.id;
  RETURN NULL;
END
$$;

CREATE INDEX audits_of_site ON audits (tenant_id, canonical_url, created_at, id);
