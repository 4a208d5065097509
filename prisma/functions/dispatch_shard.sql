-- The shard of a project, of 16: events are numbered within it. An index holds its values, so it never changes.
CREATE OR REPLACE FUNCTION dispatch_shard(p_project uuid) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (get_byte(uuid_send(p_project), 15) & 15)::smallint
$$;
