-- The smallest UUIDv7 of an instant; before 1970 there is none, so that of 1970 stands for all of it.
CREATE OR REPLACE FUNCTION first_id_at(p_instant timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT (lpad(to_hex(greatest(0, (extract(epoch FROM p_instant) * 1000)::bigint)), 12, '0') || '70008000000000000000')::uuid
$$;
