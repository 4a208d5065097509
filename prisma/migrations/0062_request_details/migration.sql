-- What a request was about and why it was refused, for the page of the request. Older requests have none of it.
ALTER TABLE api_key_requests ADD COLUMN problem_detail text;
ALTER TABLE api_key_requests ADD COLUMN problem_fields jsonb;
ALTER TABLE api_key_requests ADD COLUMN user_agent text;
ALTER TABLE api_key_requests ADD COLUMN idempotency_key text;
ALTER TABLE api_key_requests ADD COLUMN object_ids text[];
