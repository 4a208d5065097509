-- A member row counts unless its origin is `removed`. The foreign key has locked the contact (KEY SHARE) by now, and a
-- change of `unsubscribed` locks it FOR UPDATE in follow_contacts: so the two see each other and the second count is right.
CREATE OR REPLACE FUNCTION count_segment_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO count_deltas (project_id, subject_id, included, opposed)
      SELECT m.project_id, m.segment_id, count(*), count(*) FILTER (WHERE c.unsubscribed)
        FROM new_rows m JOIN contacts c ON c.id = m.contact_id
        WHERE m.origin <> 'removed' GROUP BY 1, 2;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO count_deltas (project_id, subject_id, included, opposed)
      SELECT m.project_id, m.segment_id, -count(*), -count(*) FILTER (WHERE c.unsubscribed)
        FROM old_rows m LEFT JOIN contacts c ON c.id = m.contact_id
        WHERE m.origin <> 'removed' GROUP BY 1, 2;
  ELSE
    INSERT INTO count_deltas (project_id, subject_id, included, opposed)
      SELECT m.project_id, m.segment_id, sum(m.one), coalesce(sum(m.one) FILTER (WHERE c.unsubscribed), 0)
        FROM (
          SELECT n.project_id, n.segment_id, n.contact_id, 1 AS one FROM new_rows n WHERE n.origin <> 'removed'
          UNION ALL
          SELECT o.project_id, o.segment_id, o.contact_id, -1 FROM old_rows o WHERE o.origin <> 'removed'
        ) m JOIN contacts c ON c.id = m.contact_id
        GROUP BY 1, 2 HAVING sum(m.one) <> 0;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER segment_members_counted_in AFTER INSERT ON segment_members
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_segment_members();
CREATE OR REPLACE TRIGGER segment_members_counted_out AFTER DELETE ON segment_members
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_segment_members();
CREATE OR REPLACE TRIGGER segment_members_counted_anew AFTER UPDATE ON segment_members
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_segment_members();
