-- The BIMI logo as it was checked, for its preview.
ALTER TABLE domains ADD COLUMN bimi_logo text;
