-- When `admin backup` last wrote one, and an earlier use of the disk by which it is seen to grow. Both may be unknown.
ALTER TABLE installation ADD COLUMN backed_up_at timestamptz(3);
ALTER TABLE installation ADD COLUMN disk_at timestamptz(3);
ALTER TABLE installation ADD COLUMN disk_used bigint;
