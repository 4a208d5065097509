-- Which address of this installation an attempt left from, where it sends to recipients' servers itself.
ALTER TABLE delivery_attempts ADD COLUMN source text;
