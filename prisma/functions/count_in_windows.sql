-- Adds requests to the rate limit windows of their keys, each of which begins with the first addition after its end. Counted by
-- the database's clock, exact over all processes and hosts. A window never ends later than now and its length: one that does was
-- written by a clock that has been set back. Keys come in order, so that two callers never wait for each other.
CREATE OR REPLACE FUNCTION count_in_windows(p_keys text[], p_points int[], p_window_ms bigint[])
RETURNS TABLE (key text, points int, ms_to_end int)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  -- The same for all that one statement counts.
  v_now bigint := extract(epoch FROM statement_timestamp()) * 1000;
BEGIN
  RETURN QUERY
  INSERT INTO rate_windows AS stored (key, points, expire)
    SELECT given.key, given.points, v_now + given.window_ms
      FROM unnest(p_keys, p_points, p_window_ms) AS given(key, points, window_ms)
  ON CONFLICT (key) DO UPDATE SET
    points = CASE WHEN stored.expire > v_now AND stored.expire - (extract(epoch FROM clock_timestamp()) * 1000)::bigint <= excluded.expire - v_now
      THEN stored.points + excluded.points ELSE excluded.points END,
    expire = CASE WHEN stored.expire > v_now AND stored.expire - (extract(epoch FROM clock_timestamp()) * 1000)::bigint <= excluded.expire - v_now
      THEN stored.expire ELSE excluded.expire END
  RETURNING stored.key, stored.points, greatest(0, stored.expire - v_now)::int;
END $$;
