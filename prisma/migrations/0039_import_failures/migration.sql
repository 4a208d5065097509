-- Why an import failed is a code with its facts, and no longer a sentence (lib/contacts/imports/failure.ts). The column `failure` stays
-- for hosts of the release before, which write it until they are gone.
ALTER TABLE imports ADD COLUMN failure_code text;
ALTER TABLE imports ADD COLUMN failure_facts jsonb;
UPDATE imports SET
    failure_code = CASE
      WHEN failure = 'The file is missing.' THEN 'file_missing'
      WHEN failure ~ '^The import stopped after row [\d,]+ and made no progress in \d+ attempts\.' THEN 'no_progress'
      WHEN failure ~ '^Near line \d+ the file is no CSV: a quoted cell never ends\.$' THEN 'quote_not_closed'
      WHEN failure ~ '^Near line \d+ the file is no CSV: a row is longer than \d+ characters\.$' THEN 'row_too_long'
      ELSE 'recorded'
    END,
    failure_facts = CASE
      WHEN failure = 'The file is missing.' THEN '{}'::jsonb
      WHEN failure ~ '^The import stopped after row [\d,]+ and made no progress in \d+ attempts\.' THEN
        jsonb_build_object('row', replace(substring(failure FROM '[\d,]+'), ',', '')::bigint,
          'attempts', substring(failure FROM 'in (\d+) attempts')::int)
      WHEN failure ~ '^Near line \d+ the file is no CSV: a quoted cell never ends\.$' THEN
        jsonb_build_object('line', substring(failure FROM '\d+')::bigint)
      WHEN failure ~ '^Near line \d+ the file is no CSV: a row is longer than \d+ characters\.$' THEN
        jsonb_build_object('line', substring(failure FROM '\d+')::bigint, 'charsMax', substring(failure FROM 'than (\d+)')::int)
      ELSE jsonb_build_object('text', failure)
    END
  WHERE failure IS NOT NULL;
