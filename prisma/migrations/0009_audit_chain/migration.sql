-- A hash chain over the audit entries of each organization: an entry that is changed, removed, moved or added behind the
-- back of the product no longer fits.
CREATE TABLE audit_links (
  organization_id uuid NOT NULL,
  position bigint NOT NULL,
  entry_id uuid NOT NULL REFERENCES audit_entries ON UPDATE CASCADE,
  previous_hash bytea NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (organization_id, position)
);
CREATE UNIQUE INDEX audit_links_entry_id_key ON audit_links (entry_id);

CREATE TABLE audit_heads (
  organization_id uuid PRIMARY KEY REFERENCES organizations ON UPDATE CASCADE,
  position bigint NOT NULL,
  hash bytea NOT NULL
);

CREATE INDEX audit_entries_organization_id_action_id_idx ON audit_entries (organization_id, action, id);

-- Entries that are there already, in the order of their ids. The same content as in audit_entry_content.
DO $$
DECLARE
  v_entry audit_entries;
  v_hash bytea;
  v_position bigint;
BEGIN
  FOR v_entry IN SELECT * FROM audit_entries ORDER BY organization_id, id LOOP
    SELECT position, hash INTO v_position, v_hash FROM audit_heads WHERE organization_id = v_entry.organization_id;
    v_position := coalesce(v_position, 0) + 1;
    INSERT INTO audit_links (organization_id, position, entry_id, previous_hash, hash)
      VALUES (v_entry.organization_id, v_position, v_entry.id, coalesce(v_hash, ''::bytea), sha256(coalesce(v_hash, ''::bytea)
        || convert_to(jsonb_build_array(v_position, v_entry.id, v_entry.organization_id, v_entry.project_id, v_entry.actor_kind,
          v_entry.actor_id, v_entry.action, v_entry.target, v_entry.changes, v_entry.ip, v_entry.request_id,
          to_char(v_entry.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS'))::text, 'UTF8')))
      RETURNING hash INTO v_hash;
    INSERT INTO audit_heads (organization_id, position, hash) VALUES (v_entry.organization_id, v_position, v_hash)
      ON CONFLICT (organization_id) DO UPDATE SET position = EXCLUDED.position, hash = EXCLUDED.hash;
  END LOOP;
END $$;
