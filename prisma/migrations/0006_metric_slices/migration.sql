-- Deliveries that were deferred first, opens by anybody, refusals because of our side, and bodies that the advisor points at.
ALTER TABLE metric_hours
  ADD COLUMN deferred integer NOT NULL DEFAULT 0,
  ADD COLUMN any_opens integer NOT NULL DEFAULT 0,
  ADD COLUMN refused_ours integer NOT NULL DEFAULT 0,
  ADD COLUMN html_only integer NOT NULL DEFAULT 0,
  ADD COLUMN clipped integer NOT NULL DEFAULT 0;
ALTER TABLE topic_hours
  ADD COLUMN deferred integer NOT NULL DEFAULT 0,
  ADD COLUMN any_opens integer NOT NULL DEFAULT 0,
  ADD COLUMN refused_ours integer NOT NULL DEFAULT 0,
  ADD COLUMN html_only integer NOT NULL DEFAULT 0,
  ADD COLUMN clipped integer NOT NULL DEFAULT 0;

-- Earlier opens by machines alone were not counted by recipient; everybody who opened did open.
UPDATE metric_hours SET any_opens = opened WHERE opened > 0;
UPDATE topic_hours SET any_opens = opened WHERE opened > 0;

-- As metric_hours: the rows of the running hour and day are written again and again.
CREATE TABLE metric_slices (
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE ON UPDATE CASCADE,
  dimension text NOT NULL,
  grain text NOT NULL CONSTRAINT metric_slices_grain CHECK (grain IN ('hour', 'day')),
  starts_at timestamptz(3) NOT NULL,
  key text NOT NULL,
  sent integer NOT NULL DEFAULT 0,
  delivered integer NOT NULL DEFAULT 0,
  bounced integer NOT NULL DEFAULT 0,
  complained integer NOT NULL DEFAULT 0,
  opened integer NOT NULL DEFAULT 0,
  clicked integer NOT NULL DEFAULT 0,
  unsubscribed integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  delayed integer NOT NULL DEFAULT 0,
  read_engaged integer NOT NULL DEFAULT 0,
  machine_opens integer NOT NULL DEFAULT 0,
  deferred integer NOT NULL DEFAULT 0,
  any_opens integer NOT NULL DEFAULT 0,
  refused_ours integer NOT NULL DEFAULT 0,
  html_only integer NOT NULL DEFAULT 0,
  clipped integer NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id, dimension, grain, starts_at, key)
) WITH (fillfactor = 50);
CREATE INDEX metric_slices_starts_at_idx ON metric_slices (starts_at);
