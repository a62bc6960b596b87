-- compatible since 0005
-- What retention reads, oldest first. Rows take the place of rows that were pruned, so the order on disk says nothing
-- about their age, and a BRIN index came to read the whole table.
DROP INDEX audit_jobs_ended;
CREATE INDEX audit_jobs_ended ON audit_jobs (finished_at) WHERE status IN ('done', 'failed', 'canceled');
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (created_at) WHERE state <> 'due';
CREATE INDEX revoked_sessions_expiry ON revoked_sessions (expires_at);
