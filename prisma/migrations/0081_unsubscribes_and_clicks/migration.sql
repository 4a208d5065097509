-- Whether the reason of a suppression hides an unsubscribe, which remains when that reason is removed.
ALTER TABLE suppressions ADD COLUMN also_unsubscribed boolean NOT NULL DEFAULT false;
-- How many of an email's events by people are clicks, which are bounded by themselves.
ALTER TABLE email_engagements ADD COLUMN human_clicks integer NOT NULL DEFAULT 0;
