-- outside a transaction
-- A delivery waits in one queue, which a claim reads: that of its region, that of the region's simulator, or later one of a
-- destination, which one worker reads at a time. The number of the queue takes the place of the region in the indexes.
CREATE TABLE IF NOT EXISTS delivery_queues (
  id serial PRIMARY KEY,
  region text NOT NULL,
  kind text NOT NULL CONSTRAINT delivery_queues_kind CHECK (kind IN ('general', 'simulator', 'destination')),
  destination_id integer,
  worker uuid REFERENCES delivery_workers ON DELETE SET NULL ON UPDATE CASCADE,
  lease_until timestamptz(6),
  CONSTRAINT delivery_queues_destination CHECK ((kind = 'destination') = (destination_id IS NOT NULL))
);
CREATE UNIQUE INDEX IF NOT EXISTS delivery_queues_region_kind_destination_id_key
  ON delivery_queues (region, kind, destination_id) NULLS NOT DISTINCT;
INSERT INTO delivery_queues (region, kind)
  SELECT region, kind FROM unnest('{us-east-1,eu-west-1,af-south-1,ap-southeast-1}'::text[]) AS region,
    unnest('{general,simulator}'::text[]) AS kind
  ON CONFLICT DO NOTHING;

ALTER TABLE deliveries ADD COLUMN IF NOT EXISTS queue_id integer;

-- As in prisma/functions/assign_queue.sql, before the rows are read: what is accepted meanwhile has its queue from the start.
CREATE OR REPLACE FUNCTION assign_queue() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.queue_id := (SELECT q.id FROM delivery_queues q WHERE q.region = NEW.region
    AND q.kind = CASE WHEN NEW.canonical LIKE '%@simulator.%' THEN 'simulator' ELSE 'general' END);
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER deliveries_assign_queue BEFORE INSERT ON deliveries
  FOR EACH ROW WHEN (NEW.queue_id IS NULL) EXECUTE FUNCTION assign_queue();

-- What waits, is scheduled, or has bounced so recently that the bounce may be taken back; what has ended before needs no queue. A
-- thousand rows at a time, each group committed by itself, so that nobody waits for a row for long, and before the indexes, which
-- each row would be written to otherwise. Run again, it changes only what it has not changed yet.
DO $$
DECLARE
  v_behind uuid := '00000000-0000-0000-0000-000000000000';
  v_last uuid;
BEGIN
  LOOP
    SELECT (array_agg(id ORDER BY id DESC))[1] INTO v_last
      FROM (SELECT id FROM deliveries WHERE id > v_behind ORDER BY id LIMIT 1000) AS page;
    EXIT WHEN v_last IS NULL;
    WITH waiting AS MATERIALIZED (
      SELECT d.id, d.region, CASE WHEN d.canonical LIKE '%@simulator.%' THEN 'simulator' ELSE 'general' END AS kind
        FROM deliveries d
        WHERE d.id > v_behind AND d.id <= v_last AND d.queue_id IS NULL
          AND (d.due_at IS NOT NULL OR d.status = 'scheduled'
            OR (d.status = 'bounced' AND d.ended_at > now() - interval '1 hour'))
        ORDER BY d.id FOR UPDATE OF d
    )
    UPDATE deliveries d SET queue_id = q.id
      FROM waiting w JOIN delivery_queues q ON q.region = w.region AND q.kind = w.kind WHERE d.id = w.id;
    COMMIT;
    v_behind := v_last;
  END LOOP;
END $$;

DROP INDEX CONCURRENTLY IF EXISTS deliveries_queue;
CREATE INDEX CONCURRENTLY deliveries_queue ON deliveries (queue_id, project_id, due_at) WHERE due_at IS NOT NULL;
-- Tells what is due next in a queue without walking its projects.
DROP INDEX CONCURRENTLY IF EXISTS deliveries_queue_due;
CREATE INDEX CONCURRENTLY deliveries_queue_due ON deliveries (queue_id, due_at) WHERE due_at IS NOT NULL;

-- No claim would ever find mail without a queue. Checked first for what is written from now on, then for all rows, beside their
-- writers.
ALTER TABLE deliveries DROP CONSTRAINT IF EXISTS deliveries_queued;
-- not used by the release before: its rows have their queue from the trigger and from above
ALTER TABLE deliveries ADD CONSTRAINT deliveries_queued CHECK (due_at IS NULL OR queue_id IS NOT NULL) NOT VALID;
ALTER TABLE deliveries VALIDATE CONSTRAINT deliveries_queued;

-- A host of the release before, which still runs, claims by region for so long, by a scan of what waits.
DROP INDEX CONCURRENTLY IF EXISTS deliveries_due;
DROP INDEX CONCURRENTLY IF EXISTS deliveries_region_due;
DROP INDEX CONCURRENTLY IF EXISTS deliveries_simulated_due;
