-- The worker reads these once a second, and never by a scan of the table (lib/worker/watch.ts).
CREATE INDEX region_outages_next_probe ON region_outages (next_probe_at);
CREATE INDEX engagement_pass_due ON engagement_pass (due_at);
