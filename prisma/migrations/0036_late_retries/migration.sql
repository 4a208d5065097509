-- outside a transaction
-- Email that waits for another attempt, by the time of its first: after 20 minutes its delay is noted. Few, and none that is
-- accepted at once.
DROP INDEX CONCURRENTLY IF EXISTS deliveries_late_retries;
CREATE INDEX CONCURRENTLY deliveries_late_retries ON deliveries (first_attempt_at)
  WHERE status = 'sending' AND attempt_count > 0 AND due_at IS NOT NULL;
