-- The hosts at a MAIL FROM domain follow the region's transport as well as the service domain. Stored is which of them the records were
-- compared with last, and which ones the domain was verified with: ours by its names so far, and those of Amazon SES where they were found.
ALTER TABLE domains
  ADD COLUMN checked_mail_from_mx text,
  ADD COLUMN checked_mail_from_spf text,
  ADD COLUMN verified_mail_from_mx text,
  ADD COLUMN verified_mail_from_spf text;

WITH found AS (
  SELECT d.id, (
    SELECT substring(r ->> 'found' FROM 'feedback-smtp[.][a-z0-9-]+[.]amazonses[.]com') FROM jsonb_array_elements(d.records) AS r
    WHERE r ->> 'key' = 'mail-from-mx' AND r ->> 'status' = 'verified'
  ) AS ses
  FROM domains d
), hosts AS (
  SELECT d.id,
    coalesce(ses, 'feedback.' || region || '.' || checked_service_domain) AS checked_mx,
    CASE WHEN ses IS NULL THEN 'spf.' || region || '.' || checked_service_domain ELSE 'amazonses.com' END AS checked_spf,
    coalesce(ses, 'feedback.' || region || '.' || verified_service_domain) AS verified_mx,
    CASE WHEN ses IS NULL THEN 'spf.' || region || '.' || verified_service_domain ELSE 'amazonses.com' END AS verified_spf
  FROM domains d JOIN found USING (id)
)
UPDATE domains d SET
  checked_mail_from_mx = h.checked_mx,
  checked_mail_from_spf = h.checked_spf,
  verified_mail_from_mx = h.verified_mx,
  verified_mail_from_spf = h.verified_spf,
  told_names = told_names || ' ' || h.checked_mx || ' ' || h.checked_spf
FROM hosts h WHERE h.id = d.id;

-- What identities at Amazon SES were given last: SES tells of a key no more than its selector. Those of the release before have the keys
-- that are active now.
CREATE TABLE ses_identities (
  host text NOT NULL,
  domain text NOT NULL,
  selector text,
  public_key text,
  mail_from_domain text,
  PRIMARY KEY (host, domain)
);

INSERT INTO ses_identities (host, domain, selector, public_key, mail_from_domain)
SELECT DISTINCT ON (1, 2)
  'email.' || substring(d.checked_mail_from_mx FROM '^feedback-smtp[.](.+)[.]amazonses[.]com$') || '.amazonaws.com',
  d.name, k.selector, k.public_key, d.mail_from_domain
FROM domains d JOIN dkim_keys k ON k.project_id = d.project_id AND k.domain_id = d.id AND k.state = 'active'
WHERE d.checked_mail_from_mx LIKE 'feedback-smtp.%'
ORDER BY 1, 2, d.created_at;
