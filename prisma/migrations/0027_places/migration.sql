-- Places of work that runs long, such as exports and link checks: each project has few, over all processes and hosts. A place
-- ends by itself, so that a process that died gives it back.
CREATE TABLE places (
  id uuid PRIMARY KEY,
  key text NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX places_key_idx ON places (key);
CREATE INDEX places_expires_at_idx ON places (expires_at);
