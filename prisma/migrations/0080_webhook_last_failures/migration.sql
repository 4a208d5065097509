-- When an endpoint failed last: a silence between two failures is not counted as failure.
ALTER TABLE webhooks ADD COLUMN last_failed_at timestamptz(3);
