-- Adds an entry to its organization's chain when its transaction ends: the lock on the head is held for the commit alone,
-- so nothing waits for a long transaction, and no lock is taken after it.
CREATE OR REPLACE FUNCTION chain_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_position bigint;
  v_previous bytea;
  v_hash bytea;
BEGIN
  INSERT INTO audit_heads AS h (organization_id, position, hash) VALUES (NEW.organization_id, 1, ''::bytea)
    ON CONFLICT (organization_id) DO UPDATE SET position = h.position + 1
    RETURNING h.position, h.hash INTO v_position, v_previous;
  v_hash := sha256(v_previous || audit_entry_content(v_position, NEW));
  INSERT INTO audit_links (organization_id, position, entry_id, previous_hash, hash)
    VALUES (NEW.organization_id, v_position, NEW.id, v_previous, v_hash);
  UPDATE audit_heads SET hash = v_hash WHERE organization_id = NEW.organization_id;
  RETURN NULL;
END $$;

DROP TRIGGER IF EXISTS audit_entries_chain ON audit_entries;
CREATE CONSTRAINT TRIGGER audit_entries_chain AFTER INSERT ON audit_entries
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION chain_audit_entry();
