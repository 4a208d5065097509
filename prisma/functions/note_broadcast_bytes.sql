-- Notes what a broadcast adds to or takes from the bytes that its project stores. By row, because a trigger of statements
-- cannot name columns, and the walk over its recipients updates a broadcast all the time without changing its content.
CREATE OR REPLACE FUNCTION note_broadcast_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO stored_byte_deltas (project_id, bytes)
    VALUES (coalesce(NEW.project_id, OLD.project_id),
      bytes_of_body(NULL, NULL, NEW.content, NULL) + bytes_of_body(NULL, NULL, NEW.template, NULL)
        - bytes_of_body(NULL, NULL, OLD.content, NULL) - bytes_of_body(NULL, NULL, OLD.template, NULL));
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER broadcasts_noted_bytes AFTER INSERT OR DELETE OR UPDATE OF content, template ON broadcasts
  FOR EACH ROW EXECUTE FUNCTION note_broadcast_bytes();
