-- What many jobs at once cost: a third went to a foreign key that was checked row by row, and a tenth to an index
-- that grew at its left end.

-- The same promise, once a statement: a job's tenant is there, and stays there while it has jobs.
ALTER TABLE audit_jobs DROP CONSTRAINT audit_jobs_tenant_id_fkey;

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

-- Read backwards for the youngest first.
DROP INDEX idx_jobs_tenant;
CREATE INDEX idx_jobs_tenant ON audit_jobs (tenant_id, queued_at, job_id);
