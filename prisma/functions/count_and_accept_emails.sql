-- Counts requests in their rate limit windows and accepts what they send, in one call and one commit: a send waits for one round
-- trip. Windows are locked first, in the order of their keys, and nothing that accept_emails locks is ever held by who waits for one.
-- A row for each window says what it holds with these requests; the rows of the sends follow, as accept_emails answers them.
-- Where a window is over its limit, a lone request gets the row of its window alone, whose count stays, and nothing is accepted. Of
-- several nobody knows here which one is over: MR001 undoes the call, and its caller sends them one by one.
CREATE OR REPLACE FUNCTION count_and_accept_emails(
  p_keys text[], p_points int[], p_window_ms bigint[], p_limits int[],
  p_project uuid, p_sends json, p_messages json, p_texts text[], p_htmls text[], p_recipients json)
RETURNS TABLE (
  ord int, outcome text, retry_after int, group_index int, id uuid, message_id text, status text,
  scheduled_at timestamptz, created_at timestamptz, window_key text, points int, ms_to_end int
)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_over boolean := false;
BEGIN
  FOR window_key, points, ms_to_end IN SELECT w.key, w.points, w.ms_to_end FROM count_in_windows(p_keys, p_points, p_window_ms) w LOOP
    v_over := v_over OR points > p_limits[array_position(p_keys, window_key)];
    RETURN NEXT;
  END LOOP;
  IF v_over THEN
    IF json_array_length(p_sends) > 1 THEN
      RAISE EXCEPTION 'a window of several requests is over its limit' USING ERRCODE = 'MR001';
    END IF;
    RETURN;
  END IF;
  RETURN QUERY SELECT a.*, NULL::text, NULL::int, NULL::int
    FROM accept_emails(p_project, p_sends, p_messages, p_texts, p_htmls, p_recipients) a;
END $$;
