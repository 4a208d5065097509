-- Recipients whose email was accepted by a relay that is yet to report what became of it. Of earlier emails it is not known.
ALTER TABLE metric_hours ADD COLUMN pending integer NOT NULL DEFAULT 0;
ALTER TABLE topic_hours ADD COLUMN pending integer NOT NULL DEFAULT 0;
ALTER TABLE metric_slices ADD COLUMN pending integer NOT NULL DEFAULT 0;
