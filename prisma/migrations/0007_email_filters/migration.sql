-- Filters of the email log, newest first: a rare sender, topic or tag is found without reading the emails between.
CREATE INDEX "emails_project_id_domain_id_id_idx" ON "emails"("project_id", "domain_id", "id");
CREATE INDEX emails_topic ON emails (project_id, topic_id, id) WHERE topic_id IS NOT NULL;
CREATE INDEX emails_tags ON emails USING gin (tags) WHERE tags IS NOT NULL;
