-- The values of a domain's records are computed from the installation's names. Stored is which names they were compared with last, and with
-- which names the domain was verified. Earlier versions stored the values: the names are taken from them.
ALTER TABLE domains
  ADD COLUMN checked_service_domain text,
  ADD COLUMN checked_report_domain text,
  ADD COLUMN verified_service_domain text,
  ADD COLUMN verified_report_domain text,
  ADD COLUMN names_changed_at timestamptz(3),
  ADD COLUMN told_names text;

WITH published AS (
  SELECT d.id, d.region, t.token,
    (SELECT r ->> 'value' FROM jsonb_array_elements(d.records) AS r WHERE r ->> 'key' = 'mail-from-mx') AS mx,
    (SELECT r ->> 'value' FROM jsonb_array_elements(d.records) AS r WHERE r ->> 'key' = 'dmarc') AS dmarc
  FROM domains d
  JOIN projects p ON p.id = d.project_id
  LEFT JOIN dmarc_tokens t ON t.organization_id = p.organization_id AND t.domain = d.name
), names AS (
  SELECT id, substr(mx, length('feedback.' || region || '.') + 1) AS service,
    substring(dmarc FROM 'mailto:' || token || '@([^,;![:space:]]+)') AS report
  FROM published WHERE mx LIKE 'feedback.' || region || '.%'
)
UPDATE domains d SET
  checked_service_domain = n.service,
  checked_report_domain = coalesce(n.report, 'dmarc.' || n.service),
  verified_service_domain = CASE WHEN d.status IN ('verified', 'degraded') THEN n.service END,
  verified_report_domain = CASE WHEN d.status IN ('verified', 'degraded') THEN coalesce(n.report, 'dmarc.' || n.service) END
FROM names n WHERE n.id = d.id;
