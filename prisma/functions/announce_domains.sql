-- Writes events of domains, like `announce_contacts`. They are few and checked all the time: row by row, and only when one
-- is added, removed or changes its status.
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
