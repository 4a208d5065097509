-- By the database's time, so that imports and events are added like any other row.
ALTER TABLE imports ALTER COLUMN due_at SET DEFAULT transaction_timestamp();
ALTER TABLE events ALTER COLUMN occurred_at SET DEFAULT transaction_timestamp();
