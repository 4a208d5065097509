-- What a new database needs done once its tables and functions are there.
SELECT ensure_partitions(now() - interval '1 month', now() + interval '3 months');
