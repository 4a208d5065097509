-- A host of the release before writes why an email waits or failed as a sentence: this keeps it as the reason, without a code.
-- Only such a host names the column `error`, so its update counts also where it removes what a host of this release wrote.
-- After the update, because a row trigger before it would lock each row once more.
CREATE OR REPLACE FUNCTION record_error() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE emails SET reason = CASE WHEN NEW.error IS NOT NULL THEN 'recorded' END,
      reason_facts = CASE WHEN NEW.error IS NOT NULL THEN jsonb_build_object('text', NEW.error) END
    WHERE id = NEW.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER emails_record_error AFTER UPDATE OF error ON emails
  FOR EACH ROW WHEN (NEW.error IS NOT NULL OR NEW.reason IS NOT NULL) EXECUTE FUNCTION record_error();
