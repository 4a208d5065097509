-- outside a transaction
-- Recipients whose email was accepted by a relay that reports nothing further.
ALTER TABLE metric_hours ADD COLUMN IF NOT EXISTS unreported integer NOT NULL DEFAULT 0;
ALTER TABLE topic_hours ADD COLUMN IF NOT EXISTS unreported integer NOT NULL DEFAULT 0;
ALTER TABLE metric_slices ADD COLUMN IF NOT EXISTS unreported integer NOT NULL DEFAULT 0;

-- Earlier events do not say it. Where nothing of a project was reported as delivered on a whole day, nothing is reported of what
-- a server accepted on that day. The day is that of the project, so that a topic or tag with little email is not taken for one.
-- Run again, it changes only what it has not changed yet.
UPDATE metric_slices h SET unreported = h.sent - h.bounced - h.failed - h.refused_ours
  FROM (SELECT project_id, date_trunc('day', hour, 'UTC') AS day FROM metric_hours GROUP BY 1, 2
    HAVING sum(delivered) = 0 AND sum(sent - bounced - failed - refused_ours) > 0) d
  WHERE h.project_id = d.project_id AND date_trunc('day', h.starts_at, 'UTC') = d.day
    AND h.sent > h.bounced + h.failed + h.refused_ours AND h.unreported = 0;
UPDATE topic_hours h SET unreported = h.sent - h.bounced - h.failed - h.refused_ours
  FROM (SELECT project_id, date_trunc('day', hour, 'UTC') AS day FROM metric_hours GROUP BY 1, 2
    HAVING sum(delivered) = 0 AND sum(sent - bounced - failed - refused_ours) > 0) d
  WHERE h.project_id = d.project_id AND date_trunc('day', h.hour, 'UTC') = d.day
    AND h.sent > h.bounced + h.failed + h.refused_ours AND h.unreported = 0;
UPDATE metric_hours h SET unreported = h.sent - h.bounced - h.failed - h.refused_ours
  FROM (SELECT project_id, date_trunc('day', hour, 'UTC') AS day FROM metric_hours GROUP BY 1, 2
    HAVING sum(delivered) = 0 AND sum(sent - bounced - failed - refused_ours) > 0) d
  WHERE h.project_id = d.project_id AND date_trunc('day', h.hour, 'UTC') = d.day
    AND h.sent > h.bounced + h.failed + h.refused_ours AND h.unreported = 0;
