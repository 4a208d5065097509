-- Why an attempt failed is a code in last_error with these facts; rows of earlier releases hold a sentence there.
ALTER TABLE webhook_deliveries ADD COLUMN last_error_facts jsonb;
