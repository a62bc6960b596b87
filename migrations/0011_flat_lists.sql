-- compatible since 0005
-- Lists and counts that cost the same at any size.

-- Nobody may write jobs or keys between the count and the triggers that keep it.
LOCK TABLE audit_jobs, idempotency_keys, comparisons IN SHARE ROW EXCLUSIVE MODE;

-- Every filter of a list of jobs is a set of ranges of this index.
CREATE INDEX audit_jobs_listed ON audit_jobs (tenant_id, kind, status, queued_at, job_id);
DROP INDEX idx_jobs_tenant;

-- With locked_until in an index, no heartbeat could be a heap-only update. Running jobs are few.
DROP INDEX audit_jobs_leased;
CREATE INDEX audit_jobs_running ON audit_jobs (tenant_id) WHERE status = 'running';
ALTER TABLE audit_jobs SET (fillfactor = 90);

-- Every queued job is in one of these two: by when it was queued, or by when it may run if that is later.
CREATE INDEX audit_jobs_undelayed ON audit_jobs (queued_at)
  WHERE status = 'queued' AND run_at - queued_at < interval '1 millisecond';
CREATE INDEX audit_jobs_delayed ON audit_jobs (run_at)
  WHERE status = 'queued' AND run_at - queued_at >= interval '1 millisecond';

-- Whole milliseconds, so that a page of a list can be named by them, as those of jobs are.
ALTER TABLE audits ALTER COLUMN created_at SET DEFAULT date_trunc('milliseconds', now());
UPDATE audits SET created_at = date_trunc('milliseconds', created_at)
  WHERE created_at <> date_trunc('milliseconds', created_at);
DROP INDEX audits_of_tenant;
CREATE INDEX audits_newest ON audits (tenant_id, created_at, id);
CREATE INDEX audits_by_status ON audits (tenant_id, status, created_at, id);

-- In the order of lists, whatever the collation of the database.
CREATE INDEX tenants_by_slug ON tenants (slug COLLATE "C");

-- How many rows a tenant has, kept by triggers. A connection adds to the row of its own shard, so that writers do not
-- wait for each other; a count is the sum of the shards.
CREATE TABLE record_counts (
  tenant_id UUID NOT NULL,
  name TEXT NOT NULL CHECK (name IN ('queued', 'running', 'idempotency_keys')),
  shard SMALLINT NOT NULL,
  n BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, name, shard)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

INSERT INTO record_counts (tenant_id, name, shard, n)
SELECT tenant_id, status, 0, count(*) FROM audit_jobs WHERE status IN ('queued', 'running') GROUP BY 1, 2
UNION ALL
SELECT tenant_id, 'idempotency_keys', 0, count(*) FROM idempotency_keys GROUP BY 1;

CREATE FUNCTION record_counts_shard() RETURNS smallint LANGUAGE sql AS 'SELECT (pg_backend_pid() % 32)::smallint';

CREATE FUNCTION count_new_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO record_counts AS c (tenant_id, name, shard, n)
  SELECT tenant_id, status, record_counts_shard(), count(*) FROM new_jobs
  WHERE status IN ('queued', 'running') GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (tenant_id, name, shard) DO UPDATE SET n = c.n + excluded.n;
  RETURN NULL;
END
$$;

CREATE TRIGGER count_new_jobs AFTER INSERT ON audit_jobs
  REFERENCING NEW TABLE AS new_jobs FOR EACH STATEMENT EXECUTE FUNCTION count_new_jobs();

CREATE FUNCTION count_deleted_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO record_counts AS c (tenant_id, name, shard, n)
  SELECT tenant_id, status, record_counts_shard(), -count(*) FROM old_jobs
  WHERE status IN ('queued', 'running') GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (tenant_id, name, shard) DO UPDATE SET n = c.n + excluded.n;
  RETURN NULL;
END
$$;

CREATE TRIGGER count_deleted_jobs AFTER DELETE ON audit_jobs
  REFERENCING OLD TABLE AS old_jobs FOR EACH STATEMENT EXECUTE FUNCTION count_deleted_jobs();

CREATE FUNCTION count_changed_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO record_counts AS c (tenant_id, name, shard, n)
  SELECT tenant_id, status, record_counts_shard(), sum(n) FROM (
    SELECT tenant_id, status, 1 AS n FROM new_jobs UNION ALL SELECT tenant_id, status, -1 FROM old_jobs
  ) changed
  WHERE status IN ('queued', 'running') GROUP BY 1, 2 HAVING sum(n) <> 0 ORDER BY 1, 2
  ON CONFLICT (tenant_id, name, shard) DO UPDATE SET n = c.n + excluded.n;
  RETURN NULL;
END
$$;

CREATE TRIGGER count_changed_jobs AFTER UPDATE ON audit_jobs
  REFERENCING OLD TABLE AS old_jobs NEW TABLE AS new_jobs
  FOR EACH STATEMENT EXECUTE FUNCTION count_changed_jobs();

CREATE FUNCTION count_new_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO record_counts AS c (tenant_id, name, shard, n)
  SELECT tenant_id, 'idempotency_keys', record_counts_shard(), count(*) FROM new_keys GROUP BY 1 ORDER BY 1
  ON CONFLICT (tenant_id, name, shard) DO UPDATE SET n = c.n + excluded.n;
  RETURN NULL;
END
$$;

CREATE TRIGGER count_new_keys AFTER INSERT ON idempotency_keys
  REFERENCING NEW TABLE AS new_keys FOR EACH STATEMENT EXECUTE FUNCTION count_new_keys();

CREATE FUNCTION count_deleted_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO record_counts AS c (tenant_id, name, shard, n)
  SELECT tenant_id, 'idempotency_keys', record_counts_shard(), -count(*) FROM old_keys GROUP BY 1 ORDER BY 1
  ON CONFLICT (tenant_id, name, shard) DO UPDATE SET n = c.n + excluded.n;
  RETURN NULL;
END
$$;

CREATE TRIGGER count_deleted_keys AFTER DELETE ON idempotency_keys
  REFERENCING OLD TABLE AS old_keys FOR EACH STATEMENT EXECUTE FUNCTION count_deleted_keys();

-- The newest comparison of each pair and how many there are, so that a list of pairs reads no comparison but those it
-- shows.
CREATE TABLE pairs (
  tenant_id TEXT NOT NULL,
  pair_key TEXT NOT NULL,
  comparisons BIGINT NOT NULL,
  last_ts BIGINT NOT NULL,
  last_id TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, pair_key)
);
CREATE INDEX pairs_newest ON pairs (tenant_id, last_ts, last_id);

INSERT INTO pairs (tenant_id, pair_key, comparisons, last_ts, last_id)
SELECT DISTINCT ON (tenant_id, pair_key) tenant_id, pair_key, count(*) OVER (PARTITION BY tenant_id, pair_key), ts, id
FROM comparisons ORDER BY tenant_id, pair_key, ts DESC, id COLLATE "C" DESC;

CREATE FUNCTION note_new_comparison() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO pairs AS p (tenant_id, pair_key, comparisons, last_ts, last_id)
  VALUES (NEW.tenant_id, NEW.pair_key, 1, NEW.ts, NEW.id)
  ON CONFLICT (tenant_id, pair_key) DO UPDATE SET comparisons = p.comparisons + 1,
    last_ts = greatest(p.last_ts, excluded.last_ts),
    last_id = CASE WHEN (excluded.last_ts, excluded.last_id) > (p.last_ts, p.last_id)
      THEN excluded.last_id ELSE p.last_id END;
  RETURN NULL;
END
$$;

CREATE TRIGGER note_new_comparison AFTER INSERT ON comparisons
  FOR EACH ROW EXECUTE FUNCTION note_new_comparison();

CREATE FUNCTION note_deleted_comparison() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE pairs SET comparisons = comparisons - 1 WHERE tenant_id = OLD.tenant_id AND pair_key = OLD.pair_key;
  DELETE FROM pairs WHERE tenant_id = OLD.tenant_id AND pair_key = OLD.pair_key AND comparisons <= 0;
  UPDATE pairs p SET last_ts = c.ts, last_id = c.id FROM (
    SELECT ts, id FROM comparisons WHERE tenant_id = OLD.tenant_id AND pair_key = OLD.pair_key
    ORDER BY ts DESC, id COLLATE "C" DESC LIMIT 1
  ) c
  WHERE p.tenant_id = OLD.tenant_id AND p.pair_key = OLD.pair_key AND p.last_id = OLD.id;
  RETURN NULL;
END
$$;

CREATE TRIGGER note_deleted_comparison AFTER DELETE ON comparisons
  FOR EACH ROW EXECUTE FUNCTION note_deleted_comparison();
