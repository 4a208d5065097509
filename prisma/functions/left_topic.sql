-- Whether mail of a topic is withheld from an address (in canonical form). An address that is no contact has no state and
-- gets the mail, unless it has left the topic through a link.
CREATE OR REPLACE FUNCTION left_topic(p_project uuid, p_topic uuid, p_email text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN c.id IS NOT NULL THEN coalesce(topic_state(p_project, p_topic, c.id) = 'opt_out', false)
    ELSE EXISTS (SELECT 1 FROM topic_opt_outs o
      JOIN topics t ON t.project_id = o.project_id AND t.id = o.topic_id AND t.deleted_at IS NULL
      WHERE o.project_id = p_project AND o.email = p_email AND o.topic_id = p_topic)
    END
    FROM (SELECT (SELECT k.id FROM contacts k WHERE k.project_id = p_project AND k.email = p_email) AS id) c
$$;
