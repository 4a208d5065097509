-- The cells of a rejected row, for the download of all of them; `row` held their beginning as one text.
ALTER TABLE import_errors ADD COLUMN cells jsonb;
