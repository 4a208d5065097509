-- The audit log is append only, and so is its chain. Its head moves with the chain: inside the trigger that adds a link.
CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'audit_heads' AND TG_OP = 'UPDATE' AND pg_trigger_depth() > 1 THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'audit entries are never changed or deleted' USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE OR REPLACE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

CREATE OR REPLACE TRIGGER audit_links_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_links
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

CREATE OR REPLACE TRIGGER audit_heads_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_heads
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
