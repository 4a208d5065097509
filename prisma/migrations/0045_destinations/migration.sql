-- Groups of recipients' mail servers that have a queue of their own, and the domains whose mail goes to them.
CREATE TABLE destinations (
  id serial PRIMARY KEY,
  key text NOT NULL,
  provider text,
  hosts text[] NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
);
CREATE UNIQUE INDEX destinations_key_key ON destinations (key);

CREATE TABLE destination_domains (
  domain text PRIMARY KEY,
  destination_id integer NOT NULL REFERENCES destinations ON DELETE CASCADE ON UPDATE CASCADE,
  seen_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
);
CREATE INDEX destination_domains_destination_id_idx ON destination_domains (destination_id);

-- What a destination bears, as its replies have shown. No queue of a destination exists before this.
ALTER TABLE delivery_queues
  ADD COLUMN pause text CONSTRAINT delivery_queues_pause CHECK (pause IN ('away', 'slow', 'block', 'operator', 'warm_up')),
  ADD COLUMN paused_until timestamptz(6),
  ADD COLUMN pauses integer NOT NULL DEFAULT 0,
  ADD COLUMN limited_since timestamptz(3),
  ADD COLUMN reply text,
  ADD COLUMN connections integer,
  ADD COLUMN mails_per_connection integer,
  ADD COLUMN pace_per_minute double precision,
  ADD COLUMN limits jsonb,
  ADD COLUMN revision integer NOT NULL DEFAULT 0,
  ADD COLUMN delivered_at timestamptz(3),
  ADD COLUMN changed_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  ADD COLUMN dissolves_at timestamptz(3);
ALTER TABLE delivery_queues ADD CONSTRAINT delivery_queues_destination_id_fkey
  FOREIGN KEY (destination_id) REFERENCES destinations ON DELETE RESTRICT ON UPDATE CASCADE;
