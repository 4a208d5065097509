-- Mail that came back, as the listener took it: bounces, complaints and what is written to the addresses of the service. Each
-- is read by the worker; `due_at` is null once that is done.
CREATE TABLE inbound_messages (
  id uuid PRIMARY KEY,
  door text NOT NULL,
  project_id uuid REFERENCES projects (id) ON DELETE CASCADE ON UPDATE CASCADE,
  email_id uuid,
  delivery_id uuid,
  place integer,
  mail_from text NOT NULL,
  rcpt_to text NOT NULL,
  client text NOT NULL,
  helo text NOT NULL,
  tls text,
  size integer NOT NULL,
  digest bytea NOT NULL,
  raw bytea NOT NULL,
  outcome text,
  matched_by text,
  reading jsonb,
  received_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  due_at timestamptz(3),
  attempt integer NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX inbound_messages_rcpt_to_digest_key ON inbound_messages (rcpt_to, digest);
CREATE UNIQUE INDEX inbound_messages_delivery_id_place_key ON inbound_messages (delivery_id, place);
CREATE INDEX inbound_messages_project_id_email_id_idx ON inbound_messages (project_id, email_id);
CREATE INDEX inbound_messages_due ON inbound_messages (due_at) WHERE due_at IS NOT NULL;
