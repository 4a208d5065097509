-- An `unsubscribe` suppression sets the flag of its contact; removing a suppression clears it, because mail may go there
-- again. Both appear in the contact's activity.
CREATE OR REPLACE FUNCTION follow_suppressions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    INSERT INTO contact_activities (id, project_id, contact_id, type, reference_id, reference_name)
      SELECT gen_random_uuid(), c.project_id, c.id, 'suppression_removed', o.id, o.reason
        FROM old_rows o JOIN contacts c ON c.project_id = o.project_id AND c.email = o.email;
    UPDATE contacts c SET unsubscribed = false, updated_at = now() FROM old_rows o
      WHERE c.project_id = o.project_id AND c.email = o.email AND c.unsubscribed;
    RETURN NULL;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    -- A statement that changes no reason only notes whether it hides an unsubscribe.
    IF NOT EXISTS (SELECT 1 FROM new_rows n JOIN old_rows o USING (id) WHERE n.reason <> o.reason) THEN RETURN NULL; END IF;
  END IF;
  INSERT INTO contact_activities (id, project_id, contact_id, type, reference_id, reference_name)
    SELECT gen_random_uuid(), c.project_id, c.id, 'suppression_added', n.id, n.reason
      FROM new_rows n JOIN contacts c ON c.project_id = n.project_id AND c.email = n.email;
  UPDATE contacts c SET unsubscribed = true, updated_at = now() FROM new_rows n
    WHERE c.project_id = n.project_id AND c.email = n.email AND n.reason = 'unsubscribe' AND NOT c.unsubscribed;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER suppressions_followed_in AFTER INSERT ON suppressions
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_suppressions();
CREATE OR REPLACE TRIGGER suppressions_followed_out AFTER DELETE ON suppressions
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_suppressions();
CREATE OR REPLACE TRIGGER suppressions_followed_anew AFTER UPDATE ON suppressions
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_suppressions();
