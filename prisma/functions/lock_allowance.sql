-- Locks the day of a project's organization, which is added where it is missing, then its bucket, with all that was set aside
-- given back: in the order of debit_allowance. What is left of both; no row where the project does not exist.
CREATE OR REPLACE FUNCTION lock_allowance(p_project uuid)
RETURNS TABLE (organization_id uuid, day date, used int, daily int, rate int, now timestamptz, tokens double precision)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_organization uuid;
  v_day date := (now() AT TIME ZONE 'UTC')::date;
BEGIN
  INSERT INTO quota_days AS q (organization_id, day) SELECT p.organization_id, v_day FROM projects p WHERE p.id = p_project
    ON CONFLICT (organization_id, day) DO UPDATE SET used = q.used RETURNING q.organization_id INTO v_organization;
  PERFORM reclaim_chunks(v_organization, p_project, v_day);
  RETURN QUERY
    SELECT q.organization_id, q.day, q.used, o.daily_sends, p.per_second_sends, now()::timestamptz(3),
        least(greatest(100, 20 * p.per_second_sends::double precision), a.tokens
          + greatest(0, extract(epoch FROM now()::timestamptz(3) - a.refilled_at)) * p.per_second_sends)
      FROM quota_days q JOIN organizations o ON o.id = q.organization_id JOIN projects p ON p.id = p_project
      JOIN send_allowances a ON a.project_id = p.id
      WHERE q.organization_id = v_organization AND q.day = v_day FOR UPDATE OF a;
END $$;
