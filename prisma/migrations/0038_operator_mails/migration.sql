-- outside a transaction
-- Why a mail is in the operator's mailbox; null if it is not.
ALTER TABLE inbound_messages ADD COLUMN IF NOT EXISTS operator_reason text;
UPDATE inbound_messages SET operator_reason = 'written' WHERE project_id IS NULL AND door IN ('mailbox', 'feedback');
DROP INDEX CONCURRENTLY IF EXISTS inbound_messages_operator;
CREATE INDEX CONCURRENTLY inbound_messages_operator ON inbound_messages (id) WHERE operator_reason IS NOT NULL;
