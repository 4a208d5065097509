-- The row that an import refused, as it came and cut, so that people need not look for it in their file.
ALTER TABLE import_errors ADD COLUMN row text;
