-- What the people of a project are told of, up to when each has read it, and the chat to which it is posted.
CREATE TABLE notices (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE ON UPDATE CASCADE,
  kind text NOT NULL,
  facts jsonb NOT NULL,
  page text NOT NULL,
  due_at timestamptz(3) DEFAULT transaction_timestamp(),
  attempt integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
);
CREATE INDEX notices_project_id_id_idx ON notices (project_id, id);
CREATE INDEX notices_due_at_idx ON notices (due_at);
CREATE TABLE notice_reads (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE ON UPDATE CASCADE,
  read_at timestamptz(3) NOT NULL
);
CREATE TABLE notice_targets (
  project_id uuid PRIMARY KEY REFERENCES projects ON DELETE CASCADE ON UPDATE CASCADE,
  url bytea NOT NULL,
  host text NOT NULL,
  last_success_at timestamptz(3),
  last_failure_at timestamptz(3),
  failure text,
  status_code integer,
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  updated_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
);
