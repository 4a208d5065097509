-- What the checks of the sending set-up found last, a row each, and which rows an operator has confirmed.
CREATE TABLE setup_checks (
  key text NOT NULL,
  region text NOT NULL DEFAULT '',
  address text NOT NULL DEFAULT '',
  state text NOT NULL CONSTRAINT setup_checks_state CHECK (state IN ('ok', 'wrong', 'unknown', 'waiting')),
  code text,
  expected text[] NOT NULL DEFAULT '{}',
  found text[] NOT NULL DEFAULT '{}',
  checked_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  unanswered_at timestamptz(3),
  red_since timestamptz(3),
  confirmed_at timestamptz(3),
  confirmed_by uuid REFERENCES users ON DELETE SET NULL ON UPDATE CASCADE,
  confirmed_reason text,
  PRIMARY KEY (key, region, address)
);
CREATE INDEX setup_checks_confirmed_by_idx ON setup_checks (confirmed_by);
