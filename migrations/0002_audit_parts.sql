-- The records of audits, part by part, each in pieces of bounded size. They go with their audit.

CREATE TABLE audit_parts (
  audit_id UUID NOT NULL REFERENCES audits (id) ON DELETE CASCADE,
  part VARCHAR(128) NOT NULL,
  piece INT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (audit_id, part, piece)
);
