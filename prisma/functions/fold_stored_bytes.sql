-- Adds what waits in stored_byte_deltas to the allowances of projects, one caller at a time, and returns how many lines it took.
CREATE OR REPLACE FUNCTION fold_stored_bytes(p_limit int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  v_taken int;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('mailroom.fold_stored_bytes')) THEN
    RETURN 0;
  END IF;
  WITH taken AS (
    DELETE FROM stored_byte_deltas d WHERE d.id IN (SELECT l.id FROM stored_byte_deltas l ORDER BY l.id LIMIT p_limit)
      RETURNING d.project_id, d.bytes
  ), sums AS (
    SELECT t.project_id, sum(t.bytes)::bigint AS bytes FROM taken t GROUP BY 1
  ), counted AS (
    UPDATE send_allowances a SET stored_bytes = greatest(0, a.stored_bytes + s.bytes)
      FROM sums s WHERE a.project_id = s.project_id
  )
  SELECT count(*) INTO v_taken FROM taken;
  RETURN v_taken;
END $$;
