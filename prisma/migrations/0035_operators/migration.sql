-- Who runs the installation, above all organizations. On installations before this, the account of the set-up: the first one.
ALTER TABLE users ADD COLUMN operator_since timestamptz(3);
UPDATE users SET operator_since = transaction_timestamp()
  WHERE id = (SELECT id FROM users ORDER BY created_at, id LIMIT 1);
