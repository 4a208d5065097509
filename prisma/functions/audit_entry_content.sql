-- What the hash of an audit entry covers. The text of jsonb is the same for the same value, and times are written in UTC.
CREATE OR REPLACE FUNCTION audit_entry_content(p_position bigint, p_entry audit_entries) RETURNS bytea
LANGUAGE sql STABLE AS $$
  SELECT convert_to(jsonb_build_array(p_position, p_entry.id, p_entry.organization_id, p_entry.project_id, p_entry.actor_kind,
    p_entry.actor_id, p_entry.action, p_entry.target, p_entry.changes, p_entry.ip, p_entry.request_id,
    to_char(p_entry.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS'))::text, 'UTF8')
$$;
