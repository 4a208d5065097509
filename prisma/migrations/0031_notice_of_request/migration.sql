-- What the answer told its caller besides, for the request log. Older requests have none.
ALTER TABLE api_key_requests ADD COLUMN notice text;
