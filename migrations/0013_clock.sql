-- compatible since 0005
-- What processes know about the database's clock: for each boot of a machine the state in which its last process left it.
CREATE TABLE sonde_clock (
  boot TEXT PRIMARY KEY,
  steady_ms DOUBLE PRECISION NOT NULL,
  state_json TEXT NOT NULL
);
-- Deliveries that were not tried yet. They are due as soon as their job has ended, whatever the clock says.
CREATE INDEX webhook_deliveries_fresh ON webhook_deliveries (webhook_id, due_at) WHERE state = 'due' AND attempt = 0;
