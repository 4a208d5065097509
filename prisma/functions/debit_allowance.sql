-- Takes what an accept costs from the organization's day and from the project's bucket, and counts its emails and bytes, where
-- accept_emails cannot: it costs nothing, its row of the day is new or held by another one, or there may be too little. It is the
-- last that an accept does, and decides exactly; where there is too little, MR001 undoes the accept.
--
-- The row of the day is locked until the commit, which may take milliseconds. An accept that finds it locked by another one
-- therefore takes from a chunk of its project that nobody holds. Where no chunk has enough it waits for the row, and having
-- waited it sets a chunk aside: at most a sixteenth of what is left, in at most eight slots a project. So there are chunks only
-- where accepts meet, and a day or a bucket that is nearly used up is not divided.
-- Where the day or the bucket has too little, what the chunks hold is given back first (reclaim_chunks): what is refused has
-- really been used up.
-- Locks: the day, then the bucket or chunks. Who takes from a chunk waits for nothing afterwards.
CREATE OR REPLACE FUNCTION debit_allowance(
  p_project uuid, p_day date, p_emails int, p_bytes bigint, p_cost int, p_least int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_slots_max constant int := 8;
  v_chunk_min constant int := 10;
  v_chunk_max constant int := 1000;
  v_project record;
  v_waits boolean;
  v_used int;
  v_tokens double precision;
  v_chunk int;
  v_slot record;
BEGIN
  SELECT p.organization_id, p.per_second_sends AS rate, o.daily_sends,
         greatest(100, 20 * p.per_second_sends::double precision) AS burst,
         (SELECT q.used FROM quota_days q WHERE q.organization_id = p.organization_id AND q.day = p_day) AS used
    INTO STRICT v_project
    FROM projects p JOIN organizations o ON o.id = p.organization_id WHERE p.id = p_project;

  IF p_cost = 0 THEN
    PERFORM 1 FROM send_allowances a WHERE a.project_id = p_project FOR NO KEY UPDATE SKIP LOCKED;
    v_waits := NOT FOUND;
  ELSE
    PERFORM 1 FROM quota_days q WHERE q.organization_id = v_project.organization_id AND q.day = p_day
      FOR NO KEY UPDATE SKIP LOCKED;
    v_waits := NOT FOUND AND v_project.used IS NOT NULL;
  END IF;

  -- From no chunk where the quota has been lowered below what is used and set aside.
  IF v_waits AND (p_cost = 0 OR v_project.used <= v_project.daily_sends) THEN
    UPDATE allowance_chunks c SET messages = c.messages - p_cost, tokens = c.tokens - p_cost, emails = c.emails + p_emails
      WHERE c.project_id = p_project AND c.slot = (SELECT f.slot FROM allowance_chunks f
        WHERE f.project_id = p_project AND f.messages >= p_cost AND f.tokens >= p_cost
          AND (p_cost = 0 OR (f.day = p_day AND f.rate = v_project.rate))
        ORDER BY f.slot LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED);
    IF FOUND THEN
      IF p_bytes > 0 THEN
        INSERT INTO stored_byte_deltas (project_id, bytes) VALUES (p_project, p_bytes);
      END IF;
      RETURN;
    END IF;
  END IF;

  IF p_cost > 0 THEN
    LOOP
      INSERT INTO quota_days AS q (organization_id, day, used) VALUES (v_project.organization_id, p_day, p_cost)
        ON CONFLICT (organization_id, day) DO UPDATE SET used = q.used + excluded.used
          WHERE q.used + excluded.used <= v_project.daily_sends
        RETURNING q.used INTO v_used;
      EXIT WHEN FOUND;
      IF NOT reclaim_chunks(v_project.organization_id, p_project, p_day) THEN
        RAISE EXCEPTION 'another accept has taken what was left of the day' USING ERRCODE = 'MR001';
      END IF;
    END LOOP;
  END IF;

  LOOP
    -- By the clock at the moment of the update: a row that was waited for is reckoned anew, and no time is counted twice. With
    -- what is in chunks a bucket holds no more than without.
    UPDATE send_allowances a SET emails = a.emails + p_emails, stored_bytes = a.stored_bytes + p_bytes,
        refilled_at = clock_timestamp(), tokens = least(
          v_project.burst - coalesce((SELECT sum(c.tokens) FROM allowance_chunks c WHERE c.project_id = p_project), 0),
          a.tokens + greatest(0, extract(epoch FROM clock_timestamp() - a.refilled_at)) * v_project.rate) - p_cost
      WHERE a.project_id = p_project AND (p_cost = 0 OR least(v_project.burst,
          a.tokens + greatest(0, extract(epoch FROM clock_timestamp() - a.refilled_at)) * v_project.rate) >= p_least)
      RETURNING a.tokens INTO v_tokens;
    EXIT WHEN FOUND;
    IF NOT reclaim_chunks(v_project.organization_id, p_project, p_day) THEN
      RAISE EXCEPTION 'another accept has taken the tokens of this moment' USING ERRCODE = 'MR001';
    END IF;
  END LOOP;

  v_chunk := least(v_chunk_max, (v_project.daily_sends - v_used) / 16, floor(v_tokens / 16));
  IF v_waits AND p_cost > 0 AND v_chunk >= v_chunk_min THEN
    SELECT c.slot, c.tokens, CASE WHEN c.day = p_day THEN c.messages ELSE 0 END AS messages INTO v_slot
      FROM allowance_chunks c
      WHERE c.project_id = p_project AND c.day <= p_day AND (c.day < p_day OR c.rate <> v_project.rate OR c.messages < v_chunk)
      ORDER BY c.messages LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
      INSERT INTO allowance_chunks (project_id, slot, organization_id, day, rate)
        SELECT p_project, count(*), v_project.organization_id, p_day, v_project.rate FROM allowance_chunks c
          WHERE c.project_id = p_project HAVING count(*) < v_slots_max
        RETURNING slot, tokens, messages INTO v_slot;
      IF NOT FOUND THEN
        RETURN;
      END IF;
    END IF;
    UPDATE allowance_chunks c SET day = p_day, rate = v_project.rate, messages = v_chunk, tokens = v_chunk
      WHERE c.project_id = p_project AND c.slot = v_slot.slot;
    UPDATE quota_days q SET used = q.used + v_chunk - v_slot.messages
      WHERE q.organization_id = v_project.organization_id AND q.day = p_day;
    UPDATE send_allowances a SET tokens = a.tokens + v_slot.tokens - v_chunk WHERE a.project_id = p_project;
  END IF;
END $$;

-- As accept_emails: a plan made while the tables were empty is still right when they have grown.
ALTER FUNCTION debit_allowance(uuid, date, int, bigint, int, int) SET plan_cache_mode = force_generic_plan;
ALTER FUNCTION debit_allowance(uuid, date, int, bigint, int, int) SET enable_seqscan = off;
