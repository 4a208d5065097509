import { pool } from "@/lib/platform/database/db"

/**
 * Lets the commit of each email take so many milliseconds, with all its locks held, as with a standby that is far away; with 0
 * as fast as before.
 */
export async function slowCommits(ms: number): Promise<void> {
  await pool().query("DROP TRIGGER IF EXISTS slow_commit ON emails")
  if (ms === 0) return
  await pool().query(
    `CREATE OR REPLACE FUNCTION slow_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM pg_sleep(${ms / 1_000}); RETURN NULL; END $$`,
  )
  await pool().query(
    `CREATE CONSTRAINT TRIGGER slow_commit AFTER INSERT ON emails DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION slow_commit()`,
  )
}
