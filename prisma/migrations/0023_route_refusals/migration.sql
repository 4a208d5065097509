-- Workers that send, each with its heartbeat and the routes whose relay it cannot reach: a region is down when no live
-- worker reaches its relay.
CREATE TABLE delivery_workers (
  id uuid PRIMARY KEY,
  host text NOT NULL,
  seen_at timestamptz(3) NOT NULL,
  unreachable jsonb NOT NULL DEFAULT '{}'
);

-- Refusals of the last minutes that are not about the recipient: a relay that refuses several domains with one sentence
-- refuses everybody.
CREATE TABLE route_refusals (
  id uuid PRIMARY KEY,
  route text NOT NULL,
  sentence text NOT NULL,
  domain text NOT NULL,
  delivery_id uuid NOT NULL,
  refused_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  cleared_at timestamptz(3)
);
CREATE INDEX route_refusals_sentence ON route_refusals (route, sentence, refused_at);
CREATE INDEX route_refusals_refused_at ON route_refusals (refused_at);

ALTER TABLE region_outages ADD COLUMN refusing text;
ALTER TABLE region_outages ADD COLUMN probed_by uuid;
