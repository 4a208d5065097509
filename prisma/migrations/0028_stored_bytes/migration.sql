-- What a project stores has a limit, and so has the number of projects of an organization. Bytes are counted where they are
-- written: an accepted send adds its content to its project's allowance, which it updates anyway; triggers note all other
-- changes in stored_byte_deltas, which waits for nobody, and a job adds those to the allowance.
ALTER TABLE organizations ADD COLUMN max_projects int NOT NULL DEFAULT 100;
ALTER TABLE projects ADD COLUMN max_stored_bytes bigint NOT NULL DEFAULT 21474836480;
ALTER TABLE send_allowances ADD COLUMN stored_bytes bigint NOT NULL DEFAULT 0;
CREATE TABLE stored_byte_deltas (
  id bigserial PRIMARY KEY,
  project_id uuid NOT NULL,
  bytes bigint NOT NULL
);
