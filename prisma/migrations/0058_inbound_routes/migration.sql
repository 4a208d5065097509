-- Routes by which projects get the mail to addresses of their domains. Without a domain it is a test address of the service domain.
CREATE TABLE inbound_routes (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE ON UPDATE CASCADE,
  domain_id uuid,
  domain text NOT NULL,
  pattern text NOT NULL,
  webhook_id uuid,
  keep_days integer NOT NULL DEFAULT 30,
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  updated_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  FOREIGN KEY (project_id, domain_id) REFERENCES domains (project_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX inbound_routes_project_id_id_key ON inbound_routes (project_id, id);
CREATE UNIQUE INDEX inbound_routes_project_id_domain_pattern_key ON inbound_routes (project_id, domain, pattern);
CREATE INDEX inbound_routes_domain_idx ON inbound_routes (domain);

-- What came by a route is a project's, and kept for as long as the route says.
ALTER TABLE inbound_messages ADD COLUMN route_id uuid, ADD COLUMN verdicts jsonb, ADD COLUMN keep_until timestamptz(3);
CREATE INDEX inbound_messages_received ON inbound_messages (project_id, id) WHERE door = 'route';
CREATE INDEX inbound_messages_route ON inbound_messages (route_id, id) WHERE route_id IS NOT NULL;
CREATE INDEX inbound_messages_keep_until ON inbound_messages (keep_until) WHERE keep_until IS NOT NULL;
-- The age of all other mail.
CREATE INDEX inbound_messages_returned ON inbound_messages (id) WHERE keep_until IS NULL;
