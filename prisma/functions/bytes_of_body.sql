-- Bytes of the content of an email as they count towards its project's limit.
CREATE OR REPLACE FUNCTION bytes_of_body(p_text text, p_html text, p_attachments jsonb, p_bytes bytea) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(octet_length(p_text), 0)::bigint + coalesce(octet_length(p_html), 0)
    + coalesce(octet_length(p_attachments::text), 0) + coalesce(octet_length(p_bytes), 0)
$$;
