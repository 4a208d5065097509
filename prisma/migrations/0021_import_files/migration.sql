-- The files that wait to be imported are counted at each upload: only those, however many imports there have been.
CREATE INDEX imports_files ON imports (project_id, bytes) WHERE object_key IS NOT NULL;
