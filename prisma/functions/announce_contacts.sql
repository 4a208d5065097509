-- Writes events of contacts for the webhooks that name them, in the transaction of the change. Where no webhook of a
-- project asks for a type nothing is written, and the change costs a query for its few webhooks.
CREATE OR REPLACE FUNCTION announce_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  wanting uuid[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    wanting := ARRAY(SELECT project_id FROM (SELECT DISTINCT project_id FROM new_rows) p
      WHERE webhooks_want(project_id, 'contact.created'));
    IF wanting <> '{}' THEN
      INSERT INTO events (id, project_id, type, data, occurred_at)
        SELECT new_event_id(), n.project_id, 'contact.created', jsonb_strip_nulls(jsonb_build_object('contactId', n.id,
            'email', n.email, 'firstName', n.first_name, 'lastName', n.last_name, 'phone', n.phone,
            'unsubscribed', n.unsubscribed::text)), transaction_timestamp()
          FROM new_rows n WHERE n.project_id = ANY (wanting);
    END IF;
  ELSIF TG_OP = 'DELETE' THEN
    wanting := ARRAY(SELECT project_id FROM (SELECT DISTINCT project_id FROM old_rows) p
      WHERE webhooks_want(project_id, 'contact.deleted'));
    IF wanting <> '{}' THEN
      INSERT INTO events (id, project_id, type, data, occurred_at)
        SELECT new_event_id(), o.project_id, 'contact.deleted', jsonb_build_object('contactId', o.id, 'email', o.email),
            transaction_timestamp()
          FROM old_rows o WHERE o.project_id = ANY (wanting);
    END IF;
  ELSE
    wanting := ARRAY(SELECT project_id FROM (SELECT DISTINCT project_id FROM new_rows) p
      WHERE webhooks_want(project_id, 'contact.updated'));
    IF wanting <> '{}' THEN
      -- Scores and validations are no changes that somebody made.
      INSERT INTO events (id, project_id, type, data, occurred_at)
        SELECT new_event_id(), n.project_id, 'contact.updated', jsonb_strip_nulls(jsonb_build_object('contactId', n.id,
            'email', n.email, 'firstName', n.first_name, 'lastName', n.last_name, 'phone', n.phone,
            'unsubscribed', n.unsubscribed::text, 'changed', array_to_string(c.fields, ','))), transaction_timestamp()
          FROM new_rows n JOIN old_rows o ON o.id = n.id CROSS JOIN LATERAL (SELECT array_remove(ARRAY[
            CASE WHEN n.first_name IS DISTINCT FROM o.first_name THEN 'firstName' END,
            CASE WHEN n.last_name IS DISTINCT FROM o.last_name THEN 'lastName' END,
            CASE WHEN n.phone IS DISTINCT FROM o.phone THEN 'phone' END,
            CASE WHEN (n.image_url, n.image_key) IS DISTINCT FROM (o.image_url, o.image_key) THEN 'imageUrl' END,
            CASE WHEN n.properties IS DISTINCT FROM o.properties THEN 'properties' END,
            CASE WHEN n.unsubscribed IS DISTINCT FROM o.unsubscribed THEN 'unsubscribed' END], NULL) AS fields) c
          WHERE n.project_id = ANY (wanting) AND c.fields <> '{}';
    END IF;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER contacts_announced_in AFTER INSERT ON contacts
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION announce_contacts();
CREATE OR REPLACE TRIGGER contacts_announced_out AFTER DELETE ON contacts
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION announce_contacts();
CREATE OR REPLACE TRIGGER contacts_announced_anew AFTER UPDATE ON contacts
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION announce_contacts();
