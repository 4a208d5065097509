-- outside a transaction
-- No foreign key refers to it and every query that names a delivery finds it by its primary key, but each claim and each
-- outcome had to write it.
DROP INDEX CONCURRENTLY IF EXISTS deliveries_project_id_id_key;
