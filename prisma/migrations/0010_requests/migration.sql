-- The request log of a project, whatever the key.
CREATE INDEX api_key_requests_project_id_id_idx ON api_key_requests (project_id, id);

-- Requests of a key by day and permission, so that its page costs the same after any number of requests.
CREATE TABLE api_key_days (
  project_id uuid NOT NULL,
  key_id uuid NOT NULL,
  day date NOT NULL,
  permission text NOT NULL,
  requests integer NOT NULL,
  refused integer NOT NULL,
  last_at timestamptz(3) NOT NULL,
  PRIMARY KEY (project_id, key_id, day, permission)
);
CREATE INDEX api_key_days_day_idx ON api_key_days (day);
