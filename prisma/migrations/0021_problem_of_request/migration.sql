-- Why a request was refused, so that the request log can link to the problem's page. Older requests have none.
ALTER TABLE api_key_requests ADD COLUMN problem_code text;
