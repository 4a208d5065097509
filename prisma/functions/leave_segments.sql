-- Memberships are deleted while the contact can still be seen, so that segments subtract its `unsubscribed` as well.
CREATE OR REPLACE FUNCTION leave_segments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM segment_members WHERE project_id = OLD.project_id AND contact_id = OLD.id;
  RETURN OLD;
END $$;

CREATE OR REPLACE TRIGGER contacts_leave_segments BEFORE DELETE ON contacts FOR EACH ROW EXECUTE FUNCTION leave_segments();
