-- What broadcasts and templates hold counts towards the bytes that a project stores, and attachments of ended broadcasts are
-- kept as long as bodies. Counts once what is stored already, before the table is locked for the column.
INSERT INTO stored_byte_deltas (project_id, bytes)
  SELECT project_id, sum(bytes) FROM (
    SELECT project_id, octet_length(content::text)::bigint + coalesce(octet_length(template::text), 0) AS bytes FROM broadcasts
    UNION ALL
    SELECT project_id, coalesce(octet_length(text), 0)::bigint + coalesce(octet_length(html), 0) + octet_length(variables::text)
      FROM templates
    UNION ALL
    SELECT project_id, coalesce(octet_length(text), 0)::bigint + coalesce(octet_length(html), 0) + octet_length(variables::text)
      FROM template_versions
  ) AS found GROUP BY project_id;
ALTER TABLE broadcasts ADD COLUMN emptied_at timestamptz(3);
CREATE INDEX broadcasts_to_empty ON broadcasts (ended_at) WHERE ended_at IS NOT NULL AND emptied_at IS NULL;
