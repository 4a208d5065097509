-- What the owners were told last about a domain, and when they were last told each of its states.
ALTER TABLE domains
  ADD COLUMN told_status text CONSTRAINT domains_told_status CHECK (told_status IN ('verified', 'degraded', 'failed')),
  ADD COLUMN told_verified_at timestamptz(3),
  ADD COLUMN told_degraded_at timestamptz(3),
  ADD COLUMN told_failed_at timestamptz(3);
-- What failed before there were notices is not news.
UPDATE domains SET told_status = 'failed' WHERE status = 'failed';

-- Shares of the daily quota that the owners were told of. Not a column of quota_days, whose rows every send locks.
CREATE TABLE quota_notices (
  day date NOT NULL,
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE ON UPDATE CASCADE,
  percent smallint NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  PRIMARY KEY (day, organization_id, percent)
);
CREATE INDEX quota_notices_organization_id_idx ON quota_notices (organization_id);

-- Critical rates that the owners were told of; recovered_at is null while the rate is still critical.
CREATE TABLE rate_notices (
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE ON UPDATE CASCADE,
  code text NOT NULL,
  told_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  recovered_at timestamptz(3),
  PRIMARY KEY (project_id, code)
);
