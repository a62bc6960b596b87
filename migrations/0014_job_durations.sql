-- compatible since 0005
-- How long earlier attempts of a job ran, in milliseconds.
ALTER TABLE audit_jobs ADD COLUMN ran_ms bigint NOT NULL DEFAULT 0;
