-- Who joins or leaves a segment that a filter names is evaluated again. A contact that is being deleted is not.
CREATE OR REPLACE FUNCTION follow_segment_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO segment_work (project_id, contact_id)
    SELECT DISTINCT m.project_id, m.contact_id
      FROM changed_rows m JOIN contacts c ON c.id = m.contact_id
      WHERE m.segment_id IN (
        SELECT unnest(s.named_segments) FROM segments s WHERE s.project_id IN (SELECT r.project_id FROM changed_rows r))
      ORDER BY 1, 2
    ON CONFLICT (project_id, contact_id) DO UPDATE SET changed_at = excluded.changed_at;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER segment_members_followed_in AFTER INSERT ON segment_members
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_segment_members();
CREATE OR REPLACE TRIGGER segment_members_followed_out AFTER DELETE ON segment_members
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_segment_members();
CREATE OR REPLACE TRIGGER segment_members_followed_anew AFTER UPDATE ON segment_members
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_segment_members();
