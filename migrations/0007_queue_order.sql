-- Jobs are claimed in the order in which they were queued; ordered by run_at, a retried job would lose its place.
DROP INDEX audit_jobs_ready;
CREATE INDEX audit_jobs_queue ON audit_jobs (tenant_id, priority, queued_at, job_id) WHERE status = 'queued';
