-- The queue of a delivery whose writer names none: that of its region, or of the region's simulator. Hosts of the release before
-- know no queues.
CREATE OR REPLACE FUNCTION assign_queue() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.queue_id := (SELECT q.id FROM delivery_queues q WHERE q.region = NEW.region
    AND q.kind = CASE WHEN NEW.canonical LIKE '%@simulator.%' THEN 'simulator' ELSE 'general' END);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER deliveries_assign_queue BEFORE INSERT ON deliveries
  FOR EACH ROW WHEN (NEW.queue_id IS NULL) EXECUTE FUNCTION assign_queue();
