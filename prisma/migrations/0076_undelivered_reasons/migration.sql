-- Why system mail was given up is a code in reason with these facts; rows of earlier releases hold a sentence there.
ALTER TABLE undelivered_system_mails ADD COLUMN reason_facts jsonb;
