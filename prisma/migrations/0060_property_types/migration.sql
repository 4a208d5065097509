-- Contact properties that are yes or no, or a date; their values are text like those of the others.
-- not used by the release before: it writes the two types that the constraint still allows.
ALTER TABLE contact_properties
  DROP CONSTRAINT contact_properties_type,
  ADD CONSTRAINT contact_properties_type CHECK (type IN ('string', 'number', 'boolean', 'date'));
