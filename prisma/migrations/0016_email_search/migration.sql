-- The search over the email log. New emails wait in the queue until the worker writes 64 of them as one row of the index.
CREATE TABLE email_search_queue (
  project_id uuid NOT NULL,
  email_id uuid NOT NULL,
  PRIMARY KEY (project_id, email_id)
);
-- 64 emails in the order of their ids: the text of each, and hashes of all parts of one to three characters in these texts.
CREATE TABLE email_search_groups (
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE ON UPDATE CASCADE,
  first_id uuid NOT NULL,
  last_id uuid NOT NULL,
  email_ids uuid[],
  lines text[],
  grams integer[],
  PRIMARY KEY (project_id, first_id)
);
-- The worker alone writes it, so new rows go to their place at once: a search would have to read whatever is pending.
CREATE INDEX email_search_groups_grams ON email_search_groups USING gin (grams) WITH (fastupdate = off);
-- Random numbers do not compress.
ALTER TABLE email_search_groups ALTER COLUMN grams SET STORAGE EXTERNAL;
INSERT INTO email_search_queue (project_id, email_id) SELECT project_id, id FROM emails;
