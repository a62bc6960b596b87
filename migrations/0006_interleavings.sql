-- compatible since 0005
-- What several connections may do at the same time.

-- As before, but a webhook that is being deleted gets no delivery: without the lock the delivery's foreign key would
-- fail the whole statement that ended the job.
CREATE OR REPLACE FUNCTION follow_changed_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
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
      AND w.events_json ? (n.kind || '.' || n.status)
    FOR KEY SHARE OF w;
  END IF;
  RETURN NULL;
END
$$;

-- Jobs that are tried alone before they are given up; hardly ever more than a few.
CREATE INDEX audit_jobs_suspect ON audit_jobs (run_at)
  WHERE status = 'queued' AND attempt + 1 >= max_attempts
    AND last_error = 'the lease expired: its worker died or lost the store';
