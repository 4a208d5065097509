-- Soft bounces of an address, which are few beside all its deliveries.
CREATE INDEX deliveries_soft ON deliveries (project_id, canonical, ended_at) WHERE bounce_type = 'soft';

-- The email log by status. Measured beside no index, 20,000 inserts and 10,000 changes of status a round: no difference
-- beyond that between rounds.
CREATE INDEX "emails_project_id_status_id_idx" ON "emails"("project_id", "status", "id");
