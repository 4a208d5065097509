-- What an organization had sent of its day, minute by minute, for the forecast of when its allowance runs out.
CREATE TABLE quota_marks (
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE ON UPDATE CASCADE,
  at timestamptz(3) NOT NULL,
  used integer NOT NULL,
  PRIMARY KEY (organization_id, at)
);
CREATE INDEX quota_marks_at_idx ON quota_marks (at);
