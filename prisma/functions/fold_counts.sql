-- Adds what waits in count_deltas to the counters, one caller at a time, and returns how many lines it took.
CREATE OR REPLACE FUNCTION fold_counts(p_limit int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  v_taken int;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('mailroom.fold_counts')) THEN
    RETURN 0;
  END IF;
  WITH taken AS (
    DELETE FROM count_deltas d WHERE d.id IN (SELECT l.id FROM count_deltas l ORDER BY l.id LIMIT p_limit)
      RETURNING d.subject_id, d.included, d.opposed
  ), sums AS (
    SELECT t.subject_id, sum(t.included)::int AS included, sum(t.opposed)::int AS opposed FROM taken t GROUP BY 1
  ), of_segments AS (
    UPDATE segments s SET contact_count = s.contact_count + n.included, unsubscribed_count = s.unsubscribed_count + n.opposed
      FROM sums n WHERE s.id = n.subject_id
  ), of_topics AS (
    UPDATE topics t SET opt_in_count = t.opt_in_count + n.included, opt_out_count = t.opt_out_count + n.opposed
      FROM sums n WHERE t.id = n.subject_id
  ), of_projects AS (
    INSERT INTO audience_totals AS a (project_id, contacts, unsubscribed)
      SELECT p.id, n.included, n.opposed FROM sums n JOIN projects p ON p.id = n.subject_id
      ON CONFLICT (project_id) DO UPDATE SET contacts = a.contacts + excluded.contacts,
        unsubscribed = a.unsubscribed + excluded.unsubscribed
  )
  SELECT count(*) INTO v_taken FROM taken;
  RETURN v_taken;
END $$;
