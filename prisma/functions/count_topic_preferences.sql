-- Explicit preferences alone are counted. The contacts that they belong to may enter segments or leave them.
CREATE OR REPLACE FUNCTION count_topic_preferences() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP IN ('INSERT', 'UPDATE') THEN
    INSERT INTO segment_work (project_id, contact_id)
      SELECT DISTINCT n.project_id, n.contact_id FROM new_rows n ORDER BY 1, 2
      ON CONFLICT (project_id, contact_id) DO UPDATE SET changed_at = excluded.changed_at;
    INSERT INTO count_deltas (project_id, subject_id, included, opposed)
      SELECT n.project_id, n.topic_id, count(*) FILTER (WHERE n.subscription = 'opt_in'),
          count(*) FILTER (WHERE n.subscription = 'opt_out')
        FROM new_rows n GROUP BY 1, 2;
  ELSE
    INSERT INTO segment_work (project_id, contact_id)
      SELECT DISTINCT o.project_id, o.contact_id FROM old_rows o ORDER BY 1, 2
      ON CONFLICT (project_id, contact_id) DO UPDATE SET changed_at = excluded.changed_at;
  END IF;
  IF TG_OP IN ('DELETE', 'UPDATE') THEN
    INSERT INTO count_deltas (project_id, subject_id, included, opposed)
      SELECT o.project_id, o.topic_id, -count(*) FILTER (WHERE o.subscription = 'opt_in'),
          -count(*) FILTER (WHERE o.subscription = 'opt_out')
        FROM old_rows o GROUP BY 1, 2;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER topic_preferences_counted_in AFTER INSERT ON topic_preferences
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_topic_preferences();
CREATE OR REPLACE TRIGGER topic_preferences_counted_out AFTER DELETE ON topic_preferences
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_topic_preferences();
CREATE OR REPLACE TRIGGER topic_preferences_counted_anew AFTER UPDATE ON topic_preferences
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_topic_preferences();
