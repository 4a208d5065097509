-- outside a transaction
-- One message to many people, whom a worker accepts one by one.
CREATE TABLE IF NOT EXISTS broadcasts (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE ON UPDATE CASCADE,
  status text NOT NULL CONSTRAINT broadcasts_status
    CHECK (status IN ('draft', 'scheduled', 'preparing', 'sending', 'paused', 'sent', 'cancelled')),
  subject text NOT NULL,
  from_header text NOT NULL,
  entries text[],
  content jsonb NOT NULL,
  topic_id uuid,
  test_mode boolean NOT NULL DEFAULT false,
  idempotency_key text,
  scheduled_at timestamptz(3),
  content_id uuid,
  position integer NOT NULL DEFAULT 0,
  cursor uuid,
  recipients integer,
  joined integer NOT NULL DEFAULT 0,
  accepted integer NOT NULL DEFAULT 0,
  unsubscribed integer NOT NULL DEFAULT 0,
  suppressed integer NOT NULL DEFAULT 0,
  topic_opt_out integer NOT NULL DEFAULT 0,
  left_before integer NOT NULL DEFAULT 0,
  judged_sent integer NOT NULL DEFAULT 0,
  judged_bounced integer NOT NULL DEFAULT 0,
  judged_delivered integer NOT NULL DEFAULT 0,
  judged_complained integer NOT NULL DEFAULT 0,
  paused_reason text,
  waiting_for text,
  waiting_until timestamptz(3),
  attempt integer NOT NULL DEFAULT 0,
  due_at timestamptz(3),
  key_id uuid,
  user_id uuid,
  request_id uuid,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  updated_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
);
CREATE UNIQUE INDEX IF NOT EXISTS broadcasts_project_id_id_key ON broadcasts (project_id, id);
CREATE UNIQUE INDEX IF NOT EXISTS broadcasts_idempotency ON broadcasts (project_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
CREATE INDEX IF NOT EXISTS broadcasts_due ON broadcasts (due_at) WHERE due_at IS NOT NULL;

ALTER TABLE emails ADD COLUMN IF NOT EXISTS broadcast_id uuid;
-- The emails of a broadcast, for the list and to count them; the others cost nothing.
DROP INDEX CONCURRENTLY IF EXISTS emails_broadcast;
CREATE INDEX CONCURRENTLY emails_broadcast ON emails (project_id, broadcast_id, id) WHERE broadcast_id IS NOT NULL;
