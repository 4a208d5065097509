-- When each attempt was made and how it ended, oldest first: at most ten short objects.
ALTER TABLE webhook_deliveries ADD COLUMN attempts jsonb NOT NULL DEFAULT '[]';

-- Deliveries that were attempted, by the hour in which they were created: health is read from here, however many there are.
CREATE TABLE webhook_hours (
  project_id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  hour timestamptz(3) NOT NULL,
  first_succeeded integer NOT NULL DEFAULT 0,
  first_failed integer NOT NULL DEFAULT 0,
  recovered integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  last_succeeded_at timestamptz(3),
  last_failed_at timestamptz(3),
  PRIMARY KEY (webhook_id, hour),
  FOREIGN KEY (project_id, webhook_id) REFERENCES webhooks (project_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX webhook_hours_hour_idx ON webhook_hours (hour);

-- Few among many that succeeded, and what people look for.
CREATE INDEX webhook_deliveries_unsuccessful ON webhook_deliveries (webhook_id, id) WHERE status IN ('failed', 'cancelled');
