-- Passes changes of contacts on to segments, engagement scores and counts. A new score within the same tier does not
-- concern segments; a contact whose address had mail before gets a score. Segments are told before the stronger lock is
-- taken, so that a transaction that works on the contact can finish first.
CREATE OR REPLACE FUNCTION follow_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    INSERT INTO count_deltas (project_id, subject_id, included, opposed)
      SELECT o.project_id, o.project_id, -count(*), -count(*) FILTER (WHERE o.unsubscribed) FROM old_rows o GROUP BY 1;
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    INSERT INTO segment_work (project_id, contact_id)
      SELECT n.project_id, n.id FROM new_rows n ORDER BY 1, 2
      ON CONFLICT (project_id, contact_id) DO UPDATE SET changed_at = excluded.changed_at;
    INSERT INTO engagement_work (project_id, contact_id)
      SELECT n.project_id, n.id FROM new_rows n CROSS JOIN LATERAL (
          SELECT 1 FROM deliveries d WHERE d.project_id = n.project_id AND d.canonical = n.email LIMIT 1) mail
        ORDER BY 1, 2
      ON CONFLICT (project_id, contact_id) DO UPDATE SET changed_at = excluded.changed_at;
    INSERT INTO count_deltas (project_id, subject_id, included, opposed)
      SELECT n.project_id, n.project_id, count(*), count(*) FILTER (WHERE n.unsubscribed) FROM new_rows n GROUP BY 1;
    RETURN NULL;
  END IF;
  INSERT INTO segment_work (project_id, contact_id)
    SELECT n.project_id, n.id FROM new_rows n JOIN old_rows o ON o.id = n.id
      WHERE n.scored_at IS NOT DISTINCT FROM o.scored_at OR n.engagement_tier IS DISTINCT FROM o.engagement_tier ORDER BY 1, 2
    ON CONFLICT (project_id, contact_id) DO UPDATE SET changed_at = excluded.changed_at;
  IF EXISTS (SELECT 1 FROM new_rows n JOIN old_rows o ON o.id = n.id WHERE n.unsubscribed <> o.unsubscribed) THEN
    PERFORM 1 FROM contacts c
      WHERE c.id IN (SELECT n.id FROM new_rows n JOIN old_rows o ON o.id = n.id WHERE n.unsubscribed <> o.unsubscribed)
      ORDER BY c.id FOR UPDATE;
    INSERT INTO count_deltas (project_id, subject_id, included, opposed)
      SELECT n.project_id, n.project_id, 0, sum(CASE WHEN n.unsubscribed THEN 1 ELSE -1 END)
        FROM new_rows n JOIN old_rows o ON o.id = n.id WHERE n.unsubscribed <> o.unsubscribed GROUP BY 1;
    INSERT INTO count_deltas (project_id, subject_id, included, opposed)
      SELECT m.project_id, m.segment_id, 0, sum(CASE WHEN n.unsubscribed THEN 1 ELSE -1 END)
        FROM new_rows n JOIN old_rows o ON o.id = n.id
          JOIN segment_members m ON m.project_id = n.project_id AND m.contact_id = n.id AND m.origin <> 'removed'
        WHERE n.unsubscribed <> o.unsubscribed GROUP BY 1, 2;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER contacts_followed_in AFTER INSERT ON contacts
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_contacts();
CREATE OR REPLACE TRIGGER contacts_followed_out AFTER DELETE ON contacts
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_contacts();
CREATE OR REPLACE TRIGGER contacts_followed_anew AFTER UPDATE ON contacts
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_contacts();
