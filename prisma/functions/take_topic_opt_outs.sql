-- A recipient who left topics before becoming a contact has left them as a contact, however the contact is added.
CREATE OR REPLACE FUNCTION take_topic_opt_outs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM new_rows n JOIN topic_opt_outs o ON o.project_id = n.project_id AND o.email = n.email) THEN
    WITH taken AS (
      DELETE FROM topic_opt_outs o USING new_rows n WHERE o.project_id = n.project_id AND o.email = n.email
        RETURNING o.project_id, o.topic_id, n.id AS contact_id, o.created_at
    ), told AS (
      INSERT INTO contact_activities (id, project_id, contact_id, type, reference_id, reference_name, occurred_at)
        SELECT gen_random_uuid(), k.project_id, k.contact_id, 'topic_unsubscribed', k.topic_id, t.name, k.created_at
          FROM taken k JOIN topics t ON t.project_id = k.project_id AND t.id = k.topic_id
    )
    INSERT INTO topic_preferences (project_id, topic_id, contact_id, subscription, updated_at)
      SELECT k.project_id, k.topic_id, k.contact_id, 'opt_out', k.created_at FROM taken k ORDER BY k.topic_id, k.contact_id;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER contacts_take_opt_outs AFTER INSERT ON contacts
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION take_topic_opt_outs();
