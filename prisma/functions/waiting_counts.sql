-- Counters are not updated by the transaction that changes rows: triggers add a difference to count_deltas, which waits for
-- nobody and cannot deadlock, and fold_counts adds the lines to the counters. A count is therefore the counter plus what
-- waits, read in one statement:
--   SELECT s.contact_count + w.included, s.unsubscribed_count + w.opposed FROM segments s, waiting_counts(s.id) w
-- Subjects: a segment (members; of these unsubscribed), a topic (opt-ins; opt-outs), a project (contacts; unsubscribed).
CREATE OR REPLACE FUNCTION waiting_counts(p_subject uuid) RETURNS TABLE (included int, opposed int) LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(d.included), 0)::int, coalesce(sum(d.opposed), 0)::int FROM count_deltas d WHERE d.subject_id = p_subject
$$;
