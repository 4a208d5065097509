-- A UUIDv7 of now: events are partitioned by the time in their id. Its twelve bits below the millisecond are the
-- microseconds (RFC 9562, section 6.2, method 3), so that changes within a millisecond keep their order.
CREATE OR REPLACE FUNCTION new_event_id() RETURNS uuid LANGUAGE sql VOLATILE AS $$
  SELECT (lpad(to_hex(at.us / 1000), 12, '0') || '7' || lpad(to_hex(at.us % 1000 * 4096 / 1000), 3, '0')
      || substr(gen_random_uuid()::text, 20))::uuid
    FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS us OFFSET 0) at
$$;
