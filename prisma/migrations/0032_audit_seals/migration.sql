-- How far the chain of each organization was sealed with a key that the database does not have. Without a reference to the
-- organization, so that one that was removed with its chain is noticed.
CREATE TABLE audit_seals (
  organization_id uuid PRIMARY KEY,
  position bigint NOT NULL,
  hash bytea NOT NULL,
  mac bytea NOT NULL,
  sealed_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
);

-- The sum of all seals: one row.
CREATE TABLE audit_seal_total (
  id smallint PRIMARY KEY CHECK (id = 1),
  organizations integer NOT NULL,
  entries bigint NOT NULL,
  mac bytea NOT NULL,
  logged_at timestamptz(3)
);
