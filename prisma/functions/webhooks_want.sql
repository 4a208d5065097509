-- While a project is deleted with all that it has, nobody is told.
CREATE OR REPLACE FUNCTION webhooks_want(p_project_id uuid, p_type text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM webhooks w JOIN projects p ON p.id = w.project_id
    WHERE w.project_id = p_project_id AND w.disabled_at IS NULL AND w.deleted_at IS NULL AND p_type = ANY (w.events))
$$;
