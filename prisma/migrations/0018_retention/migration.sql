-- A body that was emptied says so. The index holds what is still full, in the order of age, so that the sweep reads what is
-- due and nothing else, whatever lies behind it. `emptied_at` and not the four columns: an index over those would take
-- an entry more for every message that is composed. Bodies that were emptied before this are emptied once more.
ALTER TABLE "email_bodies" ADD COLUMN "emptied_at" TIMESTAMPTZ(3);
CREATE INDEX email_bodies_full ON email_bodies (email_id) WHERE emptied_at IS NULL;

-- What has had its time is found by its age.
CREATE INDEX "sessions_expires_at_idx" ON "sessions"("expires_at");
CREATE INDEX "invites_expires_at_idx" ON "invites"("expires_at");
CREATE INDEX "import_errors_import_id_idx" ON "import_errors"("import_id");
CREATE INDEX "contact_activities_occurred_at_idx" ON "contact_activities"("occurred_at");
CREATE INDEX "quota_days_day_idx" ON "quota_days"("day");
CREATE INDEX "metric_hours_hour_idx" ON "metric_hours"("hour");
CREATE INDEX "topic_hours_hour_idx" ON "topic_hours"("hour");
