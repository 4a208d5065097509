-- Counts once what is stored already; a migration of its own, so that no send waits for the tables to be read.
UPDATE send_allowances a SET stored_bytes = a.stored_bytes + s.bytes
  FROM (
    SELECT project_id, sum(bytes)::bigint AS bytes FROM (
      SELECT project_id, coalesce(octet_length(text), 0)::bigint + coalesce(octet_length(html), 0) + coalesce(octet_length(raw), 0)
        AS bytes FROM email_bodies WHERE emptied_at IS NULL
      UNION ALL
      SELECT project_id, coalesce(octet_length(text), 0)::bigint + coalesce(octet_length(html), 0) + octet_length(files)
        FROM email_contents
      UNION ALL SELECT project_id, size FROM sandbox_messages
      UNION ALL SELECT project_id, octet_length(body) FROM webhook_deliveries
      UNION ALL SELECT project_id, bytes FROM imports WHERE object_key IS NOT NULL
    ) AS found GROUP BY project_id
  ) AS s
  WHERE s.project_id = a.project_id;
