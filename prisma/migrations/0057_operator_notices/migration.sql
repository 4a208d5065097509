-- What operators are told of, and up to when each has read it.
CREATE TABLE operator_notices (
  id uuid PRIMARY KEY,
  kind text NOT NULL,
  facts jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
);
CREATE INDEX operator_notices_created_at_idx ON operator_notices (created_at);
CREATE TABLE operator_notice_reads (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE ON UPDATE CASCADE,
  read_at timestamptz(3) NOT NULL
);
-- When the rows of a region that sends to others are checked again by themselves.
ALTER TABLE setup_regions ADD COLUMN next_check_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp();
