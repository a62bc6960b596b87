-- compatible since 0005
-- How long earlier attempts of a job ran, in milliseconds.
ALTER TABLE audit_jobs ADD COLUMN ran_ms bigint NOT NULL DEFAULT 0;

-- Finds what is due by webhook, so that a claim reads no backlog of a tenant that has its share.
CREATE INDEX webhook_deliveries_next ON webhook_deliveries (webhook_id, due_at) WHERE state = 'due';
