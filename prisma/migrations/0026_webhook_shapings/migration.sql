-- Numbered events on their way to webhooks with filters or transformations. These run after the transaction that orders the
-- events, so that what one webhook describes delays nobody else.
CREATE TABLE webhook_shapings (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  event_id uuid NOT NULL,
  event_type text NOT NULL,
  body text NOT NULL,
  due_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  FOREIGN KEY (project_id, webhook_id) REFERENCES webhooks (project_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX webhook_shapings_webhook_id_id_idx ON webhook_shapings (webhook_id, id);
CREATE INDEX webhook_shapings_due_at_idx ON webhook_shapings (due_at);
CREATE UNIQUE INDEX webhook_shapings_project_id_id_key ON webhook_shapings (project_id, id);
