-- Writes events of contacts, suppressions and domains for the webhooks that name them, in the transaction of the change.
-- Where no webhook of a project asks for a type nothing is written, and the change costs one look at its few webhooks.

-- A UUIDv7 of now: events are partitioned by the time in their id.
CREATE OR REPLACE FUNCTION new_event_id() RETURNS uuid LANGUAGE sql VOLATILE AS $$
  SELECT (left(first_id_at(clock_timestamp())::text, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid
$$;

-- While a project is deleted with all that it has, nobody is told.
CREATE OR REPLACE FUNCTION webhooks_want(p_project_id uuid, p_type text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM webhooks w JOIN projects p ON p.id = w.project_id
    WHERE w.project_id = p_project_id AND w.disabled_at IS NULL AND w.deleted_at IS NULL AND p_type = ANY (w.events))
$$;

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
            CASE WHEN n.image_url IS DISTINCT FROM o.image_url THEN 'imageUrl' END,
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

-- A suppression that gets another reason is neither added nor removed.
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

-- Domains are few and checked all the time: row by row, and only when one is made, removed or changes its status.
CREATE OR REPLACE FUNCTION announce_domains() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  domain domains := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
  name text := CASE TG_OP WHEN 'INSERT' THEN 'domain.created' WHEN 'DELETE' THEN 'domain.deleted' ELSE 'domain.' || domain.status END;
BEGIN
  IF webhooks_want(domain.project_id, name) THEN
    INSERT INTO events (id, project_id, type, data, occurred_at)
      VALUES (new_event_id(), domain.project_id, name, jsonb_strip_nulls(jsonb_build_object('domainId', domain.id,
        'domain', domain.name, 'region', domain.region, 'status', domain.status,
        'previousStatus', CASE TG_OP WHEN 'UPDATE' THEN OLD.status END)), transaction_timestamp());
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER domains_announced_in AFTER INSERT ON domains FOR EACH ROW EXECUTE FUNCTION announce_domains();
CREATE OR REPLACE TRIGGER domains_announced_out AFTER DELETE ON domains FOR EACH ROW EXECUTE FUNCTION announce_domains();
CREATE OR REPLACE TRIGGER domains_announced_anew AFTER UPDATE OF status ON domains
  FOR EACH ROW WHEN (NEW.status <> OLD.status) EXECUTE FUNCTION announce_domains();
