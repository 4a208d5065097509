import { pool } from "@/lib/platform/database/db"

/** What is added to the window of a key, and how long a window of it lasts. */
export type Wanted = { points: number; windowMs: number }
/** All that its window holds now, and when that window ends. */
export type Counted = { points: number; msToEnd: number }

/** The database's time in milliseconds, the same throughout a statement. */
const nowMs = "(extract(epoch FROM statement_timestamp()) * 1000)::bigint"
// A window never ends later than now and its length: one that does was written by a clock that has been set back.
const hasEnded = `(stored.expire <= ${nowMs} OR stored.expire > (extract(epoch FROM clock_timestamp()) * 1000)::bigint + excluded.expire - ${nowMs})`

/**
 * Adds to the windows of these keys, each of which begins with the first addition after its end. Counted by the database's
 * clock, exact over all processes and hosts. The keys are locked in order, so that two callers never deadlock. On `pg`,
 * because every request with a credential waits for it.
 */
export async function countInWindows(wanted: ReadonlyMap<string, Wanted>): Promise<Map<string, Counted>> {
  const keys = [...wanted.keys()].sort()
  const { rows } = await pool().query<{ key: string; points: number; ms_to_end: number }>({
    name: "access.count_in_windows",
    text: `INSERT INTO rate_windows AS stored (key, points, expire)
        SELECT key, points, ${nowMs} + window_ms FROM unnest($1::text[], $2::int[], $3::bigint[]) AS given(key, points, window_ms)
      ON CONFLICT (key) DO UPDATE SET
        points = CASE WHEN ${hasEnded} THEN excluded.points ELSE stored.points + excluded.points END,
        expire = CASE WHEN ${hasEnded} THEN excluded.expire ELSE stored.expire END
      RETURNING key, points, greatest(0, expire - ${nowMs})::float8 AS ms_to_end`,
    values: [keys, keys.map((key) => wanted.get(key)?.points), keys.map((key) => wanted.get(key)?.windowMs)],
  })
  return new Map(rows.map(({ key, points, ms_to_end }) => [key, { points, msToEnd: ms_to_end }]))
}
