-- Addresses that are taken off the suppression list of an account at Amazon SES, because a project allows them again.
CREATE TABLE ses_removals (
  region text NOT NULL,
  email text NOT NULL,
  due_at timestamptz(6) NOT NULL DEFAULT transaction_timestamp(),
  attempt integer NOT NULL DEFAULT 0,
  PRIMARY KEY (region, email)
);
CREATE INDEX ses_removals_due ON ses_removals (due_at);
