-- outside a transaction
-- Where a word is frequent, a search reads the newest groups instead of all that hold it.
DROP INDEX CONCURRENTLY IF EXISTS email_search_groups_newest;
CREATE INDEX CONCURRENTLY email_search_groups_newest ON email_search_groups (project_id, last_id);
