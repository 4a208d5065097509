-- How safe the connection of an attempt was, and which policy demanded that, where each recipient has servers of its own.
ALTER TABLE delivery_attempts ADD COLUMN tls_level text, ADD COLUMN tls_policy text;
