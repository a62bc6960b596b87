-- compatible since 0005
-- Deleting an audit looks for its job; without an index that read the whole table for every audit.
CREATE INDEX audit_jobs_audit ON audit_jobs (audit_id) WHERE audit_id IS NOT NULL;
