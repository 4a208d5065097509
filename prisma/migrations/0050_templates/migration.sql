-- Subject and bodies with placeholders, and what was published of them.
CREATE TABLE templates (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE ON UPDATE CASCADE,
  name text NOT NULL,
  subject text NOT NULL,
  html text,
  text text,
  variables jsonb NOT NULL DEFAULT '[]',
  version integer NOT NULL DEFAULT 0,
  is_changed boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  updated_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
);
CREATE UNIQUE INDEX templates_project_id_id_key ON templates (project_id, id);
CREATE UNIQUE INDEX templates_project_id_name_key ON templates (project_id, name);

CREATE TABLE template_versions (
  project_id uuid NOT NULL,
  template_id uuid NOT NULL,
  version integer NOT NULL,
  subject text NOT NULL,
  html text,
  text text,
  variables jsonb NOT NULL DEFAULT '[]',
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  PRIMARY KEY (project_id, template_id, version),
  FOREIGN KEY (project_id, template_id) REFERENCES templates (project_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
