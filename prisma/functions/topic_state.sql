-- The state of a contact in a topic: its own preference, else the default of the topic. NULL for a deleted topic.
-- lib/topics/rules.ts decides the same in TypeScript.
CREATE OR REPLACE FUNCTION topic_state(p_project uuid, p_topic uuid, p_contact uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce(p.subscription, t.default_subscription) FROM topics t
    LEFT JOIN topic_preferences p ON p.project_id = t.project_id AND p.topic_id = t.id AND p.contact_id = p_contact
    WHERE t.project_id = p_project AND t.id = p_topic AND t.deleted_at IS NULL
$$;
