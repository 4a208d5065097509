-- A plan made before the first ANALYZE supposes that a project has one in 200 of a table's rows. Then an index whose further columns
-- do not matter to the query looks as good as the one that finds a single row, and in the first minute of a busy installation a send
-- read all emails of its project, until autovacuum came round. Until then these tables are taken to be what they mostly are: rows of
-- one project, a delivery and a body for each email. PostgreSQL before version 18 cannot be told.
DO $$
DECLARE
  v_column record;
BEGIN
  IF current_setting('server_version_num')::int < 180000 THEN
    RETURN;
  END IF;
  -- n_distinct as in pg_stats: a number of values, or -1 where every row has its own.
  FOR v_column IN
    SELECT * FROM (VALUES
      ('emails', 'project_id', 1), ('emails', 'idempotency_key', -1),
      ('email_bodies', 'project_id', 1), ('email_bodies', 'email_id', -1),
      ('deliveries', 'project_id', 1), ('deliveries', 'email_id', -1)
    ) AS c("table", "column", n_distinct)
    WHERE NOT EXISTS (SELECT FROM pg_stats s
      WHERE s.schemaname = current_schema() AND s.tablename = c."table" AND s.attname = c."column")
  LOOP
    PERFORM pg_restore_attribute_stats(
      'schemaname', current_schema()::text, 'relname', v_column."table"::text, 'attname', v_column."column"::text,
      'inherited', false, 'null_frac', 0::real, 'avg_width', 16, 'n_distinct', v_column.n_distinct::real);
  END LOOP;
END $$;
