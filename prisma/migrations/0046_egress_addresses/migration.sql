-- Addresses of this installation from which regions send directly to recipients' servers, above projects.
CREATE TABLE egress_addresses (
  id uuid PRIMARY KEY,
  region text NOT NULL,
  pool text NOT NULL DEFAULT 'default',
  address text NOT NULL,
  ehlo_name text NOT NULL,
  paused_at timestamptz(3),
  warm_up_day integer,
  warm_up_on date,
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  CONSTRAINT egress_addresses_warm_up CHECK ((warm_up_day IS NULL) = (warm_up_on IS NULL))
);
CREATE UNIQUE INDEX egress_addresses_region_address_key ON egress_addresses (region, address);

-- What left from each on a day (UTC), by provider: empty for all servers that belong to none.
CREATE TABLE egress_days (
  address_id uuid NOT NULL REFERENCES egress_addresses ON DELETE CASCADE ON UPDATE CASCADE,
  day date NOT NULL,
  provider text NOT NULL,
  sent integer NOT NULL DEFAULT 0,
  deferred integer NOT NULL DEFAULT 0,
  bounced integer NOT NULL DEFAULT 0,
  complained integer NOT NULL DEFAULT 0,
  PRIMARY KEY (address_id, day, provider)
);

ALTER TABLE projects ADD COLUMN egress_pool text NOT NULL DEFAULT 'default';
-- From which address a delivery is attempted, and the latest day on which it has a place there.
ALTER TABLE deliveries ADD COLUMN egress_address_id uuid, ADD COLUMN egress_on date;
