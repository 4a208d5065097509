-- Which key a key was made to replace, so that the page of either shows the other while both work.
ALTER TABLE api_keys ADD COLUMN replaces_id uuid;

-- Requests of a key by hour, for the last day of its chart.
CREATE TABLE api_key_hours (
  project_id uuid NOT NULL,
  key_id uuid NOT NULL,
  hour timestamptz(3) NOT NULL,
  requests integer NOT NULL,
  refused integer NOT NULL,
  PRIMARY KEY (project_id, key_id, hour)
);
CREATE INDEX api_key_hours_hour_idx ON api_key_hours (hour);
