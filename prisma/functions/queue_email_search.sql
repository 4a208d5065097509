-- Queues new emails for the search's index, whoever writes them. A trigger, so that no writer can forget it.
CREATE OR REPLACE FUNCTION queue_email_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO email_search_queue (project_id, email_id) SELECT project_id, id FROM added;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER emails_queued_for_search AFTER INSERT ON emails
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION queue_email_search();
