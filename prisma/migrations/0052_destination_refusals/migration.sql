-- Whose email a destination refused or deferred, hour by hour: who provokes a slower pace, or a block, for everybody.
CREATE TABLE destination_refusals (
  queue_id integer NOT NULL REFERENCES delivery_queues ON DELETE CASCADE ON UPDATE CASCADE,
  hour timestamptz(3) NOT NULL,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE ON UPDATE CASCADE,
  count integer NOT NULL,
  PRIMARY KEY (queue_id, hour, project_id)
);
CREATE INDEX destination_refusals_project_id_idx ON destination_refusals (project_id);
