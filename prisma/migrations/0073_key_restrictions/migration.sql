-- Where a key may be used from and what it may send from; empty without a restriction. Nothing but its owner's change shortens a list.
ALTER TABLE api_keys ADD COLUMN allowed_addresses text[] NOT NULL DEFAULT '{}';
ALTER TABLE api_keys ADD COLUMN allowed_domains text[] NOT NULL DEFAULT '{}';
-- Streams that a key has opened before end.
ALTER TABLE api_keys ADD COLUMN addresses_changed_at timestamptz(3);
