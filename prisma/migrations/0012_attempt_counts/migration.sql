-- Names as the API has them: `attempt` is the fencing token of a claim, `attempt_count` the attempts that ended.
ALTER TABLE deliveries RENAME COLUMN tries TO attempt_count;
ALTER TABLE webhook_deliveries RENAME COLUMN tries TO attempt_count;

ALTER TABLE hand_off_allowances RENAME TO delivery_allowances;
ALTER TABLE delivery_allowances RENAME CONSTRAINT hand_off_allowances_pkey TO delivery_allowances_pkey;
ALTER TABLE delivery_allowances RENAME CONSTRAINT hand_off_allowances_project_id_fkey TO delivery_allowances_project_id_fkey;
