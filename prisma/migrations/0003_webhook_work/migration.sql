-- Why a webhook was disabled, and webhooks whose deliveries are still to be removed.
ALTER TABLE webhooks ADD COLUMN disabled_reason text;
ALTER TABLE webhooks ADD COLUMN deleted_at timestamptz(3);

-- Attempts that ended; `attempt` counts claims and fences them, those of crashed workers included.
ALTER TABLE webhook_deliveries ADD COLUMN tries integer NOT NULL DEFAULT 0;

-- The attempts that are under way, of which an endpoint has a few at most.
CREATE INDEX webhook_deliveries_processing ON webhook_deliveries (webhook_id) WHERE status = 'processing';
