-- compatible since 0005
-- What the retention of suites reads, oldest first.
CREATE INDEX suites_by_ts ON suites (ts);
