-- Gives back to an organization's day what the chunks of its projects hold of it, and to a project's bucket what its own hold.
-- The caller holds the row of the day; an accept that holds a chunk is waited for, which is its commit. False when there was
-- nothing to give back.
CREATE OR REPLACE FUNCTION reclaim_chunks(p_organization uuid, p_project uuid, p_day date) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_messages bigint;
  v_tokens double precision;
BEGIN
  WITH held AS (
    SELECT c.project_id, c.slot, c.messages FROM allowance_chunks c
      WHERE c.organization_id = p_organization AND c.day = p_day AND c.messages > 0 FOR NO KEY UPDATE
  ), emptied AS (
    UPDATE allowance_chunks c SET messages = 0 FROM held h WHERE c.project_id = h.project_id AND c.slot = h.slot
  )
  SELECT coalesce(sum(h.messages), 0) INTO v_messages FROM held h;
  IF v_messages > 0 THEN
    UPDATE quota_days q SET used = q.used - v_messages WHERE q.organization_id = p_organization AND q.day = p_day;
  END IF;

  WITH held AS (
    SELECT c.slot, c.tokens FROM allowance_chunks c WHERE c.project_id = p_project AND c.tokens > 0 FOR NO KEY UPDATE
  ), emptied AS (
    UPDATE allowance_chunks c SET tokens = 0 FROM held h WHERE c.project_id = p_project AND c.slot = h.slot
  )
  SELECT coalesce(sum(h.tokens), 0) INTO v_tokens FROM held h;
  IF v_tokens > 0 THEN
    UPDATE send_allowances a SET tokens = a.tokens + v_tokens WHERE a.project_id = p_project;
  END IF;
  RETURN v_messages > 0 OR v_tokens > 0;
END $$;
