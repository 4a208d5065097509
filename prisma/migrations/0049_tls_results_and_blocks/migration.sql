-- How sessions with recipients' servers ended, counted by day (UTC), for reports to their domains (RFC 8460).
CREATE TABLE tls_results (
  day date NOT NULL,
  domain text NOT NULL,
  policy_type text NOT NULL,
  policy text[] NOT NULL,
  host text NOT NULL,
  result text NOT NULL,
  sessions integer NOT NULL,
  PRIMARY KEY (day, domain, policy_type, host, result)
);

-- What an attempt at a recipient's own server called itself.
ALTER TABLE delivery_attempts ADD COLUMN ehlo_name text;

-- Addresses that a destination refuses: mail from there waits, or leaves from another address of the pool.
CREATE TABLE egress_pauses (
  queue_id integer NOT NULL REFERENCES delivery_queues ON DELETE CASCADE ON UPDATE CASCADE,
  address_id uuid NOT NULL REFERENCES egress_addresses ON DELETE CASCADE ON UPDATE CASCADE,
  since timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  until timestamptz(3) NOT NULL,
  reply text NOT NULL,
  PRIMARY KEY (queue_id, address_id)
);
CREATE INDEX egress_pauses_address_id_idx ON egress_pauses (address_id);
ALTER TABLE egress_addresses
  ADD COLUMN on_block text NOT NULL DEFAULT 'wait' CONSTRAINT egress_addresses_on_block CHECK (on_block IN ('wait', 'spill'));

-- The pace of a destination, hour by hour, and what its servers asked for.
CREATE TABLE destination_hours (
  queue_id integer NOT NULL REFERENCES delivery_queues ON DELETE CASCADE ON UPDATE CASCADE,
  hour timestamptz(3) NOT NULL,
  delivered integer NOT NULL DEFAULT 0,
  deferred integer NOT NULL DEFAULT 0,
  signals text[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (queue_id, hour)
);
