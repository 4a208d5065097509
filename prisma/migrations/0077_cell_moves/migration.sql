-- Organizations that move to another installation, or came from one. Their state is looked up with each key of theirs that is read.
CREATE TABLE cell_moves (
  organization_id uuid PRIMARY KEY,
  state text NOT NULL CHECK (state IN ('copying', 'held', 'left', 'arriving', 'arrived')),
  cell text NOT NULL,
  address text,
  deleted_projects jsonb NOT NULL DEFAULT '{}',
  started_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  held_at timestamptz(3),
  moved_at timestamptz(3)
);
