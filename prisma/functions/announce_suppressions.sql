-- Writes events of suppressions, like `announce_contacts`. One that gets another reason is neither added nor removed.
CREATE OR REPLACE FUNCTION announce_suppressions() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  wanting uuid[];
  name text := CASE TG_OP WHEN 'INSERT' THEN 'suppression.added' ELSE 'suppression.removed' END;
BEGIN
  wanting := ARRAY(SELECT project_id FROM (SELECT DISTINCT project_id FROM changed_rows) p WHERE webhooks_want(project_id, name));
  IF wanting <> '{}' THEN
    INSERT INTO events (id, project_id, type, data, occurred_at)
      SELECT new_event_id(), s.project_id, name, jsonb_strip_nulls(jsonb_build_object('suppressionId', s.id,
          'email', s.email, 'reason', s.reason, 'emailId', s.email_id)), transaction_timestamp()
        FROM changed_rows s WHERE s.project_id = ANY (wanting);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER suppressions_announced_in AFTER INSERT ON suppressions
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION announce_suppressions();
CREATE OR REPLACE TRIGGER suppressions_announced_out AFTER DELETE ON suppressions
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION announce_suppressions();
