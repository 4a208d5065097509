-- Whether mail of a topic is withheld from an address (in canonical form). An address that is no contact has no state and
-- gets the mail, unless it has left the topic through a link. Mail of a deleted topic is withheld from everybody: its
-- preferences are deleted with it, so nobody knows any more who left.
CREATE OR REPLACE FUNCTION left_topic(p_project uuid, p_topic uuid, p_email text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN c.id IS NOT NULL THEN coalesce(topic_state(p_project, p_topic, c.id) = 'opt_out', true)
    ELSE NOT EXISTS (SELECT 1 FROM topics t WHERE t.project_id = p_project AND t.id = p_topic AND t.deleted_at IS NULL)
      OR EXISTS (SELECT 1 FROM topic_opt_outs o
        WHERE o.project_id = p_project AND o.email = p_email AND o.topic_id = p_topic)
    END
    FROM (SELECT (SELECT k.id FROM contacts k WHERE k.project_id = p_project AND k.email = p_email) AS id) c
$$;
