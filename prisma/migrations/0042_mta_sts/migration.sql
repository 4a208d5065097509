-- Policies of recipients' domains for the TLS of their servers (RFC 8461), until they expire.
CREATE TABLE mta_sts_policies (
  domain text PRIMARY KEY,
  policy_id text NOT NULL,
  mode text NOT NULL,
  mx text[] NOT NULL,
  max_age int NOT NULL,
  fetched_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  refresh_at timestamptz(3) NOT NULL
);

CREATE INDEX mta_sts_policies_expire ON mta_sts_policies (expires_at);
