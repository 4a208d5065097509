-- A recipient who unsubscribed before becoming a contact starts unsubscribed, however the contact is added.
CREATE OR REPLACE FUNCTION remember_unsubscribe() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT NEW.unsubscribed THEN
    NEW.unsubscribed := EXISTS (SELECT 1 FROM suppressions s
      WHERE s.project_id = NEW.project_id AND s.email = NEW.email AND (s.reason = 'unsubscribe' OR s.also_unsubscribed));
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER contacts_remember_unsubscribe BEFORE INSERT ON contacts FOR EACH ROW EXECUTE FUNCTION remember_unsubscribe();
