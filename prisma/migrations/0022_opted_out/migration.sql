-- outside a transaction
-- Pages of the contacts that opted out of a topic, as topic_preferences_opted_in is for the others.
DROP INDEX CONCURRENTLY IF EXISTS topic_preferences_opted_out;
CREATE INDEX CONCURRENTLY topic_preferences_opted_out ON topic_preferences (project_id, topic_id, contact_id)
  WHERE subscription = 'opt_out';
