-- The segments that a filter names, whose members it follows.
ALTER TABLE segments ADD COLUMN named_segments uuid[] NOT NULL DEFAULT '{}';
