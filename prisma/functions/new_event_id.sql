-- A UUIDv7 of now: events are partitioned by the time in their id.
CREATE OR REPLACE FUNCTION new_event_id() RETURNS uuid LANGUAGE sql VOLATILE AS $$
  SELECT (left(first_id_at(clock_timestamp())::text, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid
$$;
