-- Version 1. A database that has it keeps it, so this file is never edited: a change is a file with the next number.

CREATE TABLE tenants (
  id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
  slug VARCHAR(63) NOT NULL UNIQUE CHECK (slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  name TEXT NOT NULL,
  quotas_json JSONB NOT NULL DEFAULT '{}',
  created_at TIMESTAMPTZ NOT NULL DEFAULT now()
);

-- In the order of lists, whatever the collation of the database.
CREATE INDEX tenants_by_slug ON tenants (slug COLLATE "C");

CREATE TABLE audits (
  id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
  tenant_id UUID NOT NULL REFERENCES tenants (id),
  url TEXT NOT NULL,
  canonical_url TEXT NOT NULL,
  options_json JSONB NOT NULL DEFAULT '{}',
  recipe_version VARCHAR(20) NOT NULL DEFAULT 'v1',
  status VARCHAR(20) NOT NULL DEFAULT 'queued'
    CHECK (status IN ('queued', 'running', 'done', 'failed', 'canceled')),
  score SMALLINT CHECK (score BETWEEN 0 AND 100),
  report_ref TEXT,
  -- Whole milliseconds, so that a page of a list can be named by them.
  created_at TIMESTAMPTZ NOT NULL DEFAULT date_trunc('milliseconds', now()),
  finished_at TIMESTAMPTZ
);

CREATE INDEX audits_newest ON audits (tenant_id, created_at, id);
CREATE INDEX audits_by_status ON audits (tenant_id, status, created_at, id);
CREATE INDEX audits_of_site ON audits (tenant_id, canonical_url, created_at, id);

-- The records of audits, part by part, each in pieces of bounded size. They go with their audit.

CREATE TABLE audit_parts (
  audit_id UUID NOT NULL REFERENCES audits (id) ON DELETE CASCADE,
  part VARCHAR(128) NOT NULL,
  piece INT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (audit_id, part, piece)
);

-- A trigger checks the tenant once per statement: row by row, the foreign key took a third of adding many jobs.
CREATE TABLE audit_jobs (
  job_id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
  tenant_id UUID NOT NULL,
  audit_id UUID REFERENCES audits (id),
  kind VARCHAR(50) NOT NULL DEFAULT 'audit',
  status VARCHAR(20) NOT NULL DEFAULT 'queued'
    CHECK (status IN ('queued', 'running', 'done', 'failed', 'canceled')),
  attempt INT NOT NULL DEFAULT 0,
  max_attempts INT NOT NULL DEFAULT 3,
  -- Whole milliseconds, so that a page of a list can be named by them.
  queued_at TIMESTAMPTZ NOT NULL DEFAULT date_trunc('milliseconds', now()),
  run_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  started_at TIMESTAMPTZ,
  finished_at TIMESTAMPTZ,
  locked_until TIMESTAMPTZ,
  locked_by VARCHAR(255),
  lease_token BIGINT NOT NULL DEFAULT 0,
  priority SMALLINT NOT NULL DEFAULT 0,
  cancel_requested BOOLEAN NOT NULL DEFAULT false,
  event_seq BIGINT NOT NULL DEFAULT 0,
  idempotency_key VARCHAR(64) NOT NULL,
  payload_json JSONB NOT NULL,
  last_error TEXT,
  -- How long earlier attempts ran, in milliseconds.
  ran_ms BIGINT NOT NULL DEFAULT 0,
  CONSTRAINT audit_only_of_audits CHECK ((audit_id IS NOT NULL) = (kind = 'audit')),
  CONSTRAINT valid_timestamps CHECK (
    (started_at IS NULL OR started_at >= queued_at) AND (finished_at IS NULL OR finished_at >= started_at)
  ),
  CONSTRAINT leased_while_running CHECK (
    status <> 'running' OR (locked_until IS NOT NULL AND locked_by IS NOT NULL)
  )
) WITH (
  -- Every job is updated at least twice: dead rows are swept early, before claims have to step over them.
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.05,
  fillfactor = 90
);

-- Jobs are claimed in the order in which they were queued; ordered by run_at, a retried job would lose its place.
CREATE INDEX audit_jobs_queue ON audit_jobs (tenant_id, priority, queued_at, job_id) WHERE status = 'queued';
-- Every queued job is in one of these two: by when it was queued, or by when it may run if that is later.
CREATE INDEX audit_jobs_undelayed ON audit_jobs (queued_at)
  WHERE status = 'queued' AND run_at - queued_at < interval '1 millisecond';
CREATE INDEX audit_jobs_delayed ON audit_jobs (run_at)
  WHERE status = 'queued' AND run_at - queued_at >= interval '1 millisecond';
-- With locked_until in an index, no heartbeat could be a heap-only update. Running jobs are few.
CREATE INDEX audit_jobs_running ON audit_jobs (tenant_id) WHERE status = 'running';
-- A key that begins with sixteen zeros stands for no work but its own job; it needs no place in the index.
CREATE UNIQUE INDEX audit_jobs_same_work ON audit_jobs (tenant_id, idempotency_key)
  WHERE status IN ('queued', 'running') AND left(idempotency_key, 16) <> '0000000000000000';
-- Every filter of a list of jobs is a set of ranges of this index.
CREATE INDEX audit_jobs_listed ON audit_jobs (tenant_id, kind, status, queued_at, job_id);
CREATE INDEX audit_jobs_of_audit ON audit_jobs (tenant_id, idempotency_key, finished_at)
  WHERE audit_id IS NOT NULL;
-- Deleting an audit looks up its job.
CREATE INDEX audit_jobs_audit ON audit_jobs (audit_id) WHERE audit_id IS NOT NULL;
-- What retention reads. New rows take the place of pruned ones, so a BRIN index would come to read the whole table.
CREATE INDEX audit_jobs_ended ON audit_jobs (finished_at) WHERE status IN ('done', 'failed', 'canceled');
-- Jobs that are tried alone before they are given up; hardly ever more than a few.
CREATE INDEX audit_jobs_suspect ON audit_jobs (run_at)
  WHERE status = 'queued' AND attempt + 1 >= max_attempts
    AND last_error = 'the lease expired: its worker died or lost the store';

CREATE TABLE audit_progress_events (
  event_id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
  audit_id UUID REFERENCES audits (id),
  -- Not checked row by row, which took a sixth of ending a job: events are only ever written in the statement
  -- that has just changed, and so locked, their job, and pruned in the one that deletes it.
  job_id UUID NOT NULL,
  seq BIGINT NOT NULL,
  event_type VARCHAR(50) NOT NULL
    CHECK (event_type IN ('status_changed', 'step_started', 'step_done', 'warning', 'error', 'metric')),
  message TEXT,
  data_json JSONB,
  progress_pct SMALLINT CHECK (progress_pct BETWEEN 0 AND 100),
  created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  UNIQUE (job_id, seq)
);

CREATE INDEX idx_events_audit_timeline ON audit_progress_events (audit_id, created_at)
  WHERE audit_id IS NOT NULL;

-- An event that is inserted without a number is the next one of its job, which its audit names too.
CREATE FUNCTION number_new_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE audit_jobs SET event_seq = event_seq + 1 WHERE job_id = NEW.job_id OR audit_id = NEW.audit_id
  RETURNING job_id, event_seq INTO NEW.job_id, NEW.seq;
  RETURN NEW;
END
$$;

CREATE TRIGGER number_new_event BEFORE INSERT ON audit_progress_events
  FOR EACH ROW WHEN (NEW.seq IS NULL) EXECUTE FUNCTION number_new_event();

CREATE TABLE audit_job_steps (
  job_id UUID NOT NULL REFERENCES audit_jobs (job_id) ON DELETE CASCADE,
  name VARCHAR(128) NOT NULL,
  result_json TEXT NOT NULL,
  lease_token BIGINT NOT NULL,
  created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  PRIMARY KEY (job_id, name)
);

CREATE TABLE idempotency_keys (
  tenant_id UUID NOT NULL REFERENCES tenants (id),
  key VARCHAR(255) NOT NULL,
  fingerprint CHAR(64) NOT NULL,
  owner UUID NOT NULL,
  new_id UUID NOT NULL,
  locked_until TIMESTAMPTZ NOT NULL,
  expires_at TIMESTAMPTZ NOT NULL,
  answer_status SMALLINT,
  answer_location TEXT,
  answer_body TEXT,
  PRIMARY KEY (tenant_id, key)
);

CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at);

CREATE TABLE webhooks (
  webhook_id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
  tenant_id UUID NOT NULL REFERENCES tenants (id),
  url TEXT NOT NULL,
  events_json JSONB NOT NULL,
  key_id VARCHAR(64) NOT NULL,
  created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  last_status TEXT,
  last_at TIMESTAMPTZ
);

CREATE INDEX webhooks_of_tenant ON webhooks (tenant_id);

CREATE TABLE webhook_deliveries (
  delivery_id TEXT PRIMARY KEY,
  webhook_id UUID NOT NULL REFERENCES webhooks (webhook_id) ON DELETE CASCADE,
  event_type VARCHAR(100) NOT NULL,
  data_json JSONB NOT NULL,
  state VARCHAR(20) NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'delivered', 'failed')),
  attempt INT NOT NULL DEFAULT 0,
  due_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  created_at TIMESTAMPTZ NOT NULL DEFAULT now()
);

-- Finds what is due by webhook, so that a claim reads no backlog of a tenant that has its share.
CREATE INDEX webhook_deliveries_next ON webhook_deliveries (webhook_id, due_at) WHERE state = 'due';
-- Deliveries that were not tried yet are due as soon as their job has ended, whatever the clock says.
CREATE INDEX webhook_deliveries_fresh ON webhook_deliveries (webhook_id, due_at) WHERE state = 'due' AND attempt = 0;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at) WHERE state = 'due';
CREATE INDEX webhook_deliveries_of ON webhook_deliveries (webhook_id);
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (created_at) WHERE state <> 'due';

-- Sessions that were ended by logging out, for as long as their tokens would have been taken. The time is in
-- milliseconds since the epoch, as in the token.

CREATE TABLE revoked_sessions (
  session_id TEXT PRIMARY KEY,
  expires_at BIGINT NOT NULL
);

CREATE INDEX revoked_sessions_expiry ON revoked_sessions (expires_at);

-- What processes know about the database's clock: for each boot of a machine the state in which its last process left it.
CREATE TABLE sonde_clock (
  boot TEXT PRIMARY KEY,
  steady_ms DOUBLE PRECISION NOT NULL,
  state_json TEXT NOT NULL
);

-- How many rows a tenant has, kept by triggers. A connection adds to the row of its own shard, so that writers do not
-- wait for each other; a count is the sum of the shards.
CREATE TABLE record_counts (
  tenant_id UUID NOT NULL,
  name TEXT NOT NULL CHECK (name IN ('queued', 'running', 'idempotency_keys')),
  shard SMALLINT NOT NULL,
  n BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, name, shard)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

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

-- A job's tenant exists, and stays while it has jobs.
CREATE FUNCTION know_tenants_of_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[] := ARRAY(SELECT DISTINCT tenant_id FROM new_jobs);
BEGIN
  -- Locked as a foreign key would, against whoever deletes the tenant meanwhile.
  PERFORM FROM tenants WHERE id = ANY (ids) FOR KEY SHARE;
  IF (SELECT count(*) FROM tenants WHERE id = ANY (ids)) < cardinality(ids) THEN
    RAISE foreign_key_violation USING MESSAGE = 'a job of a tenant that is not there', TABLE = 'audit_jobs';
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER know_tenants_of_jobs AFTER INSERT ON audit_jobs
  REFERENCING NEW TABLE AS new_jobs
  FOR EACH STATEMENT EXECUTE FUNCTION know_tenants_of_jobs();

CREATE FUNCTION keep_tenants_of_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM audit_jobs WHERE tenant_id = OLD.id) THEN
    RAISE foreign_key_violation USING MESSAGE = 'a tenant that has jobs', TABLE = 'tenants';
  END IF;
  RETURN OLD;
END
$$;

CREATE TRIGGER keep_tenants_of_jobs AFTER DELETE OR UPDATE OF id ON tenants
  FOR EACH ROW EXECUTE FUNCTION keep_tenants_of_jobs();

-- What must follow from a job's change in any case, whoever makes it: its audit has the same status, and its end
-- is put down for the tenant's webhooks. Once a statement, not once a row.
CREATE FUNCTION follow_changed_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Looked at first: most statements change jobs of other kinds, of tenants without webhooks.
  IF EXISTS (SELECT FROM new_jobs WHERE audit_id IS NOT NULL) THEN
    UPDATE audits a SET status = n.status, finished_at = n.finished_at
    FROM new_jobs n JOIN old_jobs o ON o.job_id = n.job_id
    WHERE n.audit_id IS NOT NULL AND n.status <> o.status AND a.id = n.audit_id;
  END IF;

  -- A webhook that is being deleted gets no delivery: without the lock the delivery's foreign key would fail the whole
  -- statement that ended the job.
  IF EXISTS (SELECT FROM webhooks) AND EXISTS (SELECT FROM new_jobs WHERE finished_at IS NOT NULL) THEN
    INSERT INTO webhook_deliveries (delivery_id, webhook_id, event_type, data_json)
    SELECT 'msg_' || replace(gen_random_uuid()::text, '-', ''), w.webhook_id, n.kind || '.' || n.status,
      jsonb_build_object('jobId', n.job_id, 'auditId', n.audit_id, 'kind', n.kind, 'status', n.status,
        'attempt', n.attempt, 'error', n.last_error)
    FROM webhooks w
    JOIN new_jobs n ON n.tenant_id = w.tenant_id
    JOIN old_jobs o ON o.job_id = n.job_id
    WHERE n.status IN ('done', 'failed', 'canceled') AND n.status <> o.status
      AND w.events_json ? (n.kind || '.' || n.status)
    FOR KEY SHARE OF w;
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER follow_changed_jobs AFTER UPDATE ON audit_jobs
  REFERENCING OLD TABLE AS old_jobs NEW TABLE AS new_jobs
  FOR EACH STATEMENT EXECUTE FUNCTION follow_changed_jobs();

-- Comparisons and suites of them. Times are milliseconds since the epoch, by the clock of whoever writes, as on the
-- embedded engine: both keep the same rows.

CREATE TABLE comparisons (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL DEFAULT 'default',
  pair_key TEXT NOT NULL GENERATED ALWAYS AS (split_part(id, ':', 1)) STORED,
  ts BIGINT NOT NULL,
  left_url TEXT NOT NULL,
  right_url TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'running',
  result_json TEXT,
  error TEXT,
  options_json TEXT NOT NULL DEFAULT '{}',
  left_sealed BYTEA,
  right_sealed BYTEA,
  suite_id TEXT,
  job_id TEXT,
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
CREATE INDEX comparisons_of_job ON comparisons (job_id) WHERE job_id IS NOT NULL;

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

-- The newest comparison of each pair, the newest outside suites and how many there are, so that a list of pairs reads no
-- comparison but those it shows.
CREATE TABLE pairs (
  tenant_id TEXT NOT NULL,
  pair_key TEXT NOT NULL,
  comparisons BIGINT NOT NULL,
  last_ts BIGINT NOT NULL,
  last_id TEXT COLLATE "C" NOT NULL,
  own_ts BIGINT,
  own_id TEXT COLLATE "C",
  PRIMARY KEY (tenant_id, pair_key)
);
CREATE INDEX pairs_newest ON pairs (tenant_id, last_ts, last_id);
CREATE INDEX pairs_own ON pairs (tenant_id, own_ts, own_id);

CREATE FUNCTION note_new_comparison() RETURNS trigger LANGUAGE plpgsql AS $$
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
  UPDATE pairs p SET (own_ts, own_id) = (
    SELECT ts, id FROM comparisons
    WHERE tenant_id = OLD.tenant_id AND pair_key = OLD.pair_key AND suite_id IS NULL
    ORDER BY ts DESC, id COLLATE "C" DESC LIMIT 1
  )
  WHERE p.tenant_id = OLD.tenant_id AND p.pair_key = OLD.pair_key AND p.own_id = OLD.id;
  RETURN NULL;
END
$$;

CREATE TRIGGER note_deleted_comparison AFTER DELETE ON comparisons
  FOR EACH ROW EXECUTE FUNCTION note_deleted_comparison();

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
  left_sealed BYTEA,
  right_sealed BYTEA,
  CONSTRAINT suite_status CHECK (status IN ('running', 'completed', 'failed')),
  CONSTRAINT suite_error CHECK ((status = 'failed') = (error IS NOT NULL)),
  CONSTRAINT suite_sealed CHECK (status = 'running' OR (left_sealed IS NULL AND right_sealed IS NULL))
);

CREATE INDEX suites_of_tenant ON suites (tenant_id, ts DESC, id COLLATE "C" DESC);
CREATE INDEX suites_by_ts ON suites (ts);
CREATE INDEX suites_running ON suites (tenant_id) WHERE status = 'running';

CREATE TABLE suite_paths (
  suite_id TEXT NOT NULL REFERENCES suites (id) ON DELETE CASCADE,
  n INT NOT NULL,
  path TEXT NOT NULL,
  comparison_id TEXT NOT NULL,
  verdict TEXT CHECK (verdict IN ('pass', 'warn', 'fail', 'inconclusive', 'failed')),
  findings INT,
  PRIMARY KEY (suite_id, n)
);

-- The row of a run ends with its job; src/workflows/run-kinds.ts has the same statements, and says why.
CREATE FUNCTION end_row_with_its_job() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE explanations SET state = 'off' WHERE state = 'pending' AND comparison_id IN (SELECT id FROM comparisons WHERE job_id = CAST(NEW.job_id AS TEXT) AND status = 'running');
  UPDATE explanations SET state = 'failed', text_json = '{"error":' || CASE WHEN NEW.status = 'canceled' OR NEW.cancel_requested THEN '{"code":"canceled","message":"the comparison was canceled"}' ELSE '{"code":"interrupted","message":"the run was interrupted and cannot be resumed"}' END || '}' WHERE state = 'pending' AND comparison_id IN (SELECT id FROM comparisons WHERE job_id = CAST(NEW.job_id AS TEXT) AND status = 'completed');
  UPDATE comparisons SET status = 'failed', error = CASE WHEN NEW.status = 'canceled' OR NEW.cancel_requested THEN '{"code":"canceled","message":"the comparison was canceled"}' ELSE '{"code":"interrupted","message":"the run was interrupted and cannot be resumed"}' END, left_sealed = NULL, right_sealed = NULL WHERE job_id = CAST(NEW.job_id AS TEXT) AND status = 'running';
  UPDATE suites SET status = 'failed', error = CASE WHEN NEW.status = 'canceled' OR NEW.cancel_requested THEN '{"code":"canceled","message":"the comparison was canceled"}' ELSE '{"code":"interrupted","message":"the run was interrupted and cannot be resumed"}' END, left_sealed = NULL, right_sealed = NULL WHERE id = CAST(NEW.job_id AS TEXT) AND status = 'running';
  RETURN NULL;
END
$$;

CREATE TRIGGER end_row_with_its_job AFTER UPDATE OF status, cancel_requested ON audit_jobs
  FOR EACH ROW WHEN (
    NEW.kind IN ('compare', 'suite')
    AND (NEW.cancel_requested <> OLD.cancel_requested OR NEW.status <> OLD.status)
    AND (NEW.cancel_requested OR NEW.status IN ('done', 'failed', 'canceled'))
  )
  EXECUTE FUNCTION end_row_with_its_job();
