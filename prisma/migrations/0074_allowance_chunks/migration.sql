-- Chunks of an organization's day and of a project's bucket, from which accepts take that find the day's row locked.
CREATE TABLE allowance_chunks (
  project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE ON UPDATE CASCADE,
  slot smallint NOT NULL,
  organization_id uuid NOT NULL,
  day date NOT NULL,
  messages int NOT NULL DEFAULT 0 CHECK (messages >= 0),
  rate int NOT NULL,
  tokens double precision NOT NULL DEFAULT 0 CHECK (tokens >= 0),
  emails bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id, slot)
);
CREATE INDEX allowance_chunks_organization_id_idx ON allowance_chunks (organization_id);
