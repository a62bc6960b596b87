-- Tenants, audits, jobs with their events and steps, idempotency keys and webhooks.
-- Never edited after it has landed: what changes later is a later file.

CREATE TABLE tenants (
  id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
  slug VARCHAR(63) NOT NULL UNIQUE CHECK (slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  name TEXT NOT NULL,
  quotas_json JSONB NOT NULL DEFAULT '{}',
  created_at TIMESTAMPTZ NOT NULL DEFAULT now()
);

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
  created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  finished_at TIMESTAMPTZ
);

CREATE INDEX audits_of_tenant ON audits (tenant_id, created_at DESC);

CREATE TABLE audit_jobs (
  job_id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
  tenant_id UUID NOT NULL REFERENCES tenants (id),
  audit_id UUID REFERENCES audits (id),
  kind VARCHAR(50) NOT NULL,
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
  idempotency_key VARCHAR(64) NOT NULL CHECK (length(idempotency_key) = 64),
  payload_json JSONB NOT NULL,
  last_error TEXT,
  CONSTRAINT audit_only_of_audits CHECK ((audit_id IS NOT NULL) = (kind = 'audit')),
  CONSTRAINT valid_timestamps CHECK (
    (started_at IS NULL OR started_at >= queued_at) AND (finished_at IS NULL OR finished_at >= started_at)
  ),
  CONSTRAINT leased_while_running CHECK (
    (status = 'running') = (locked_until IS NOT NULL AND locked_by IS NOT NULL)
  )
) WITH (
  -- Every job is updated at least twice: dead rows are swept early, before claims have to step over them.
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.05
);

-- What a claim reads: ready rows, a tenant's together.
CREATE INDEX audit_jobs_ready ON audit_jobs (tenant_id, priority, run_at, job_id) WHERE status = 'queued';
-- What the reaper reads, and what a tenant's share is counted by.
CREATE INDEX audit_jobs_leased ON audit_jobs (tenant_id, locked_until) WHERE status = 'running';
-- A key that begins with sixteen zeros stands for no work but its own job; it needs no place in the index.
CREATE UNIQUE INDEX audit_jobs_same_work ON audit_jobs (tenant_id, idempotency_key)
  WHERE status IN ('queued', 'running') AND left(idempotency_key, 16) <> '0000000000000000';
CREATE INDEX idx_jobs_tenant ON audit_jobs (tenant_id, queued_at DESC, job_id DESC);
CREATE INDEX audit_jobs_of_audit ON audit_jobs (tenant_id, idempotency_key, finished_at)
  WHERE audit_id IS NOT NULL;
-- What retention reads; BRIN, because jobs end in about the order in which their rows lie.
CREATE INDEX audit_jobs_ended ON audit_jobs USING brin (finished_at);

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

CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at) WHERE state = 'due';
CREATE INDEX webhook_deliveries_of ON webhook_deliveries (webhook_id);

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

  IF EXISTS (SELECT FROM webhooks) AND EXISTS (SELECT FROM new_jobs WHERE finished_at IS NOT NULL) THEN
    INSERT INTO webhook_deliveries (delivery_id, webhook_id, event_type, data_json)
    SELECT 'msg_' || replace(gen_random_uuid()::text, '-', ''), w.webhook_id, n.kind || '.' || n.status,
      jsonb_build_object('jobId', n.job_id, 'auditId', n.audit_id, 'kind', n.kind, 'status', n.status,
        'attempt', n.attempt, 'error', n.last_error)
    FROM webhooks w
    JOIN new_jobs n ON n.tenant_id = w.tenant_id
    JOIN old_jobs o ON o.job_id = n.job_id
    WHERE n.status IN ('done', 'failed', 'canceled') AND n.status <> o.status
      AND w.events_json ? (n.kind || '.' || n.status);
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER follow_changed_jobs AFTER UPDATE ON audit_jobs
  REFERENCING OLD TABLE AS old_jobs NEW TABLE AS new_jobs
  FOR EACH STATEMENT EXECUTE FUNCTION follow_changed_jobs();
