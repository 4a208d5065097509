-- The way by which mail of a region comes back: the latest loop test, the proof that it gave, and whether the relay offers
-- delivery reports. `due_at` is when the test is sent, then when it counts as lost; null once it has ended.
CREATE TABLE return_routes (
  region text PRIMARY KEY,
  test_id uuid NOT NULL,
  relay text NOT NULL,
  started_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  due_at timestamptz(3),
  sent_at timestamptz(3),
  returned_at timestamptz(3),
  ended_at timestamptz(3),
  code text,
  diagnostic text,
  proved_relay text,
  offers_reports boolean
);
CREATE INDEX return_routes_due ON return_routes (due_at) WHERE due_at IS NOT NULL;
