CREATE TABLE tracked_emails (
  project_id uuid NOT NULL,
  email_id uuid NOT NULL,
  host text,
  urls text[],
  short boolean NOT NULL DEFAULT false,
  PRIMARY KEY (project_id, email_id),
  FOREIGN KEY (project_id, email_id) REFERENCES emails (project_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX tracked_emails_email_id_idx ON tracked_emails (email_id);

CREATE TABLE tracking_hits (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  email_id uuid NOT NULL,
  delivery_id uuid NOT NULL,
  kind text NOT NULL,
  number integer NOT NULL,
  client text NOT NULL,
  user_agent text,
  head boolean NOT NULL DEFAULT false,
  held_ms integer,
  at timestamptz(3) NOT NULL,
  due_at timestamptz(3),
  FOREIGN KEY (project_id, email_id) REFERENCES emails (project_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX tracking_hits_project_id_email_id_idx ON tracking_hits (project_id, email_id);
CREATE INDEX tracking_hits_at_idx ON tracking_hits (at);
CREATE INDEX tracking_hits_due ON tracking_hits (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE email_engagements (
  project_id uuid NOT NULL,
  email_id uuid NOT NULL,
  topic_id uuid,
  human_events integer NOT NULL DEFAULT 0,
  machine_events integer NOT NULL DEFAULT 0,
  readings jsonb NOT NULL DEFAULT '[]',
  read_ms integer,
  read_at timestamptz(3),
  engaged_at timestamptz(3),
  user_agent text,
  PRIMARY KEY (project_id, email_id),
  FOREIGN KEY (project_id, email_id) REFERENCES emails (project_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX email_engagements_email_id_idx ON email_engagements (email_id);
CREATE INDEX email_engagements_project_id_topic_id_read_at_idx ON email_engagements (project_id, topic_id, read_at);

CREATE TABLE opening_hours (
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE ON UPDATE CASCADE,
  email text NOT NULL,
  hours integer[],
  updated_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  PRIMARY KEY (project_id, email)
);
CREATE INDEX opening_hours_updated_at_idx ON opening_hours (updated_at);
