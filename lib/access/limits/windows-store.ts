import { pool } from "@/lib/platform/database/db"

/** What is added to the window of a key, and how long a window of it lasts. */
export type Wanted = { points: number; windowMs: number }
/** All that its window holds now, and when that window ends. */
export type Counted = { points: number; msToEnd: number }

/** The database's time in milliseconds, the same throughout a statement. */
export const NOW_MS = "(extract(epoch FROM statement_timestamp()) * 1000)::bigint"
// A window never ends later than now and its length: one that does was written by a clock that has been set back.
const HAS_ENDED = `(kept.expire <= ${NOW_MS} OR kept.expire > (extract(epoch FROM clock_timestamp()) * 1000)::bigint + excluded.expire - ${NOW_MS})`

/**
 * Adds to the windows of these keys, each of which begins with the first addition after its end. Counted on the clock of
 * the database, exact over all processes and hosts. The keys are locked in order, so that two callers never wait for each
 * other in a circle.
 */
export async function countInWindows(wanted: ReadonlyMap<string, Wanted>): Promise<Map<string, Counted>> {
  const keys = [...wanted.keys()].sort()
  const { rows } = await pool().query<{ key: string; points: number; ms_to_end: number }>({
    name: "access.count_in_windows",
    text: `INSERT INTO rate_windows AS kept (key, points, expire)
        SELECT key, points, ${NOW_MS} + window_ms FROM unnest($1::text[], $2::int[], $3::bigint[]) AS given(key, points, window_ms)
      ON CONFLICT (key) DO UPDATE SET
        points = CASE WHEN ${HAS_ENDED} THEN excluded.points ELSE kept.points + excluded.points END,
        expire = CASE WHEN ${HAS_ENDED} THEN excluded.expire ELSE kept.expire END
      RETURNING key, points, greatest(0, expire - ${NOW_MS})::float8 AS ms_to_end`,
    values: [keys, keys.map((key) => wanted.get(key)?.points), keys.map((key) => wanted.get(key)?.windowMs)],
  })
  return new Map(rows.map(({ key, points, ms_to_end }) => [key, { points, msToEnd: ms_to_end }]))
}
