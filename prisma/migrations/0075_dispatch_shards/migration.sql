-- outside a transaction
-- Several workers dispatch events beside each other: each takes some of 16 shards of the projects.
CREATE TABLE IF NOT EXISTS dispatch_shards (
  shard smallint PRIMARY KEY,
  last_seq bigint NOT NULL DEFAULT 0
);
INSERT INTO dispatch_shards (shard) SELECT generate_series(0, 15) ON CONFLICT DO NOTHING;
-- Up to here `last_seq` has reserved the numbers that shards give. Where the two differ, all numbers are in one order up to `last_seq`.
ALTER TABLE dispatch_state ADD COLUMN IF NOT EXISTS reserved_seq bigint NOT NULL DEFAULT 0;
CREATE OR REPLACE FUNCTION dispatch_shard(p_project uuid) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (get_byte(uuid_send(p_project), 15) & 15)::smallint
$$;
CREATE INDEX CONCURRENTLY events_undispatched_by_shard ON events (dispatch_shard(project_id), id) WHERE seq IS NULL;
