-- Notes what a change adds to or takes from the bytes that projects store, whoever makes it; of broadcasts note_broadcast_bytes
-- does. Sends are counted by accept_emails itself; of email_bodies only later changes are noted here: the composed message, and what retention empties. The length of a
-- text is known without reading it.
CREATE OR REPLACE FUNCTION note_stored_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'email_bodies' THEN
    IF TG_OP = 'UPDATE' THEN
      INSERT INTO stored_byte_deltas (project_id, bytes)
        SELECT c.project_id, sum(c.bytes) FROM (
            SELECT n.project_id, bytes_of_body(n.text, n.html, n.attachments, n.raw) AS bytes FROM new_rows n
            UNION ALL
            SELECT o.project_id, -bytes_of_body(o.text, o.html, o.attachments, o.raw) FROM old_rows o
          ) AS c GROUP BY 1;
    ELSE
      INSERT INTO stored_byte_deltas (project_id, bytes)
        SELECT o.project_id, -sum(bytes_of_body(o.text, o.html, o.attachments, o.raw)) FROM old_rows o GROUP BY 1;
    END IF;
  ELSIF TG_TABLE_NAME = 'email_contents' THEN
    IF TG_OP = 'INSERT' THEN
      INSERT INTO stored_byte_deltas (project_id, bytes)
        SELECT n.project_id, sum(bytes_of_body(n.text, n.html, NULL, n.files)) FROM new_rows n GROUP BY 1;
    ELSE
      INSERT INTO stored_byte_deltas (project_id, bytes)
        SELECT o.project_id, -sum(bytes_of_body(o.text, o.html, NULL, o.files)) FROM old_rows o GROUP BY 1;
    END IF;
  ELSIF TG_TABLE_NAME = 'sandbox_messages' THEN
    IF TG_OP = 'INSERT' THEN
      INSERT INTO stored_byte_deltas (project_id, bytes) SELECT n.project_id, sum(n.size) FROM new_rows n GROUP BY 1;
    ELSE
      INSERT INTO stored_byte_deltas (project_id, bytes) SELECT o.project_id, -sum(o.size) FROM old_rows o GROUP BY 1;
    END IF;
  ELSIF TG_TABLE_NAME = 'inbound_messages' THEN
    -- What came to a route; an answer to a return path, which moved there later, has its delivery.
    IF TG_OP = 'INSERT' THEN
      INSERT INTO stored_byte_deltas (project_id, bytes)
        SELECT n.project_id, sum(n.size) FROM new_rows n WHERE n.door = 'route' AND n.delivery_id IS NULL GROUP BY 1;
    ELSE
      INSERT INTO stored_byte_deltas (project_id, bytes)
        SELECT o.project_id, -sum(o.size) FROM old_rows o WHERE o.door = 'route' AND o.delivery_id IS NULL GROUP BY 1;
    END IF;
  ELSIF TG_TABLE_NAME = 'webhook_deliveries' THEN
    IF TG_OP = 'INSERT' THEN
      INSERT INTO stored_byte_deltas (project_id, bytes) SELECT n.project_id, sum(octet_length(n.body)) FROM new_rows n GROUP BY 1;
    ELSE
      INSERT INTO stored_byte_deltas (project_id, bytes) SELECT o.project_id, -sum(octet_length(o.body)) FROM old_rows o GROUP BY 1;
    END IF;
  ELSIF TG_TABLE_NAME IN ('templates', 'template_versions') THEN
    IF TG_OP = 'INSERT' THEN
      INSERT INTO stored_byte_deltas (project_id, bytes)
        SELECT n.project_id, sum(bytes_of_body(n.text, n.html, n.variables, NULL)) FROM new_rows n GROUP BY 1;
    ELSIF TG_OP = 'DELETE' THEN
      INSERT INTO stored_byte_deltas (project_id, bytes)
        SELECT o.project_id, -sum(bytes_of_body(o.text, o.html, o.variables, NULL)) FROM old_rows o GROUP BY 1;
    ELSE
      INSERT INTO stored_byte_deltas (project_id, bytes)
        SELECT c.project_id, sum(c.bytes) FROM (
            SELECT n.project_id, bytes_of_body(n.text, n.html, n.variables, NULL) AS bytes FROM new_rows n
            UNION ALL
            SELECT o.project_id, -bytes_of_body(o.text, o.html, o.variables, NULL) FROM old_rows o
          ) AS c GROUP BY 1 HAVING sum(c.bytes) <> 0;
    END IF;
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO stored_byte_deltas (project_id, bytes)
      SELECT n.project_id, sum(n.bytes) FROM new_rows n WHERE n.object_key IS NOT NULL GROUP BY 1;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO stored_byte_deltas (project_id, bytes)
      SELECT o.project_id, -sum(o.bytes) FROM old_rows o WHERE o.object_key IS NOT NULL GROUP BY 1;
  ELSE
    INSERT INTO stored_byte_deltas (project_id, bytes)
      SELECT c.project_id, sum(c.bytes) FROM (
          SELECT n.project_id, n.bytes FROM new_rows n WHERE n.object_key IS NOT NULL
          UNION ALL
          SELECT o.project_id, -o.bytes FROM old_rows o WHERE o.object_key IS NOT NULL
        ) AS c GROUP BY 1 HAVING sum(c.bytes) <> 0;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER email_bodies_changed_bytes AFTER UPDATE ON email_bodies
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stored_bytes();
CREATE OR REPLACE TRIGGER email_bodies_freed_bytes AFTER DELETE ON email_bodies
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stored_bytes();
CREATE OR REPLACE TRIGGER email_contents_stored_bytes AFTER INSERT ON email_contents
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stored_bytes();
CREATE OR REPLACE TRIGGER email_contents_freed_bytes AFTER DELETE ON email_contents
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stored_bytes();
CREATE OR REPLACE TRIGGER sandbox_messages_stored_bytes AFTER INSERT ON sandbox_messages
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stored_bytes();
CREATE OR REPLACE TRIGGER sandbox_messages_freed_bytes AFTER DELETE ON sandbox_messages
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stored_bytes();
CREATE OR REPLACE TRIGGER inbound_messages_stored_bytes AFTER INSERT ON inbound_messages
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stored_bytes();
CREATE OR REPLACE TRIGGER inbound_messages_freed_bytes AFTER DELETE ON inbound_messages
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stored_bytes();
CREATE OR REPLACE TRIGGER webhook_deliveries_stored_bytes AFTER INSERT ON webhook_deliveries
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stored_bytes();
CREATE OR REPLACE TRIGGER webhook_deliveries_freed_bytes AFTER DELETE ON webhook_deliveries
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stored_bytes();
CREATE OR REPLACE TRIGGER imports_stored_bytes AFTER INSERT ON imports
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stored_bytes();
CREATE OR REPLACE TRIGGER imports_changed_bytes AFTER UPDATE ON imports
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stored_bytes();
CREATE OR REPLACE TRIGGER imports_freed_bytes AFTER DELETE ON imports
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stored_bytes();
CREATE OR REPLACE TRIGGER templates_stored_bytes AFTER INSERT ON templates
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stored_bytes();
CREATE OR REPLACE TRIGGER templates_changed_bytes AFTER UPDATE ON templates
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stored_bytes();
CREATE OR REPLACE TRIGGER templates_freed_bytes AFTER DELETE ON templates
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stored_bytes();
CREATE OR REPLACE TRIGGER template_versions_stored_bytes AFTER INSERT ON template_versions
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stored_bytes();
CREATE OR REPLACE TRIGGER template_versions_freed_bytes AFTER DELETE ON template_versions
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stored_bytes();
