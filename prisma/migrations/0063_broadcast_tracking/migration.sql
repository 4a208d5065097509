-- Whether opens and clicks of its emails are tracked: as the request says, and from the beginning of the walk as the project then
-- did. Null where neither is known, so the project's setting counts.
ALTER TABLE broadcasts ADD COLUMN open_tracking boolean, ADD COLUMN click_tracking boolean;
UPDATE broadcasts SET open_tracking = (content->'trackingSettings'->>'openTracking')::boolean,
  click_tracking = (content->'trackingSettings'->>'clickTracking')::boolean
  WHERE content->'trackingSettings' IS NOT NULL;
