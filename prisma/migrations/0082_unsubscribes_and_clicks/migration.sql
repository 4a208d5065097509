-- Whether the reason of a suppression hides an unsubscribe, which remains when that reason is removed.
ALTER TABLE suppressions ADD COLUMN also_unsubscribed boolean NOT NULL DEFAULT false;
