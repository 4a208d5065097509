-- Monthly partitions by the time inside the UUIDv7 id, called at start and every day; safe to call at any time. A partition
-- is made as a table of its own and then attached, because that lock blocks neither sends nor pg_dump: created as a
-- partition, it would lock the whole parent, and everybody would queue behind the request. What does not get its lock
-- within 100 ms is left for the next call.
CREATE OR REPLACE FUNCTION ensure_partitions(p_from timestamptz, p_until timestamptz) RETURNS void LANGUAGE plpgsql
SET lock_timeout = '100ms' AS $$
DECLARE
  v_parent text;
  v_name text;
  v_month timestamp;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('mailroom.partitions')) THEN RETURN; END IF;
  FOREACH v_parent IN ARRAY ARRAY['events', 'delivery_attempts', 'api_key_requests'] LOOP
    v_month := date_trunc('month', p_from AT TIME ZONE 'UTC');
    WHILE v_month AT TIME ZONE 'UTC' < p_until LOOP
      v_name := format('%s_%s', v_parent, to_char(v_month, 'YYYYMM'));
      IF to_regclass(v_name) IS NULL THEN
        BEGIN
          EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', v_name, v_parent);
          EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', v_parent, v_name,
            first_id_at(v_month AT TIME ZONE 'UTC'), first_id_at((v_month + interval '1 month') AT TIME ZONE 'UTC'));
        EXCEPTION WHEN lock_not_available THEN NULL;
        END;
      END IF;
      v_month := v_month + interval '1 month';
    END LOOP;
  END LOOP;
END $$;
