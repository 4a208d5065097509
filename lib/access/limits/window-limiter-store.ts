import { pool } from "@/lib/platform/database/db"
import { countInWindows, NOW_MS } from "@/lib/access/limits/windows-store"

/** So many of each key in a window, counted over all processes on the clock of the database. */
export function windowLimiter({ prefix, points, seconds }: { prefix: string; points: number; seconds: number }) {
  const named = (key: string) => `${prefix}:${key}`
  const windowMs = seconds * 1_000

  return {
    /** Counts one; false where the window has more than it may. */
    async take(key: string): Promise<boolean> {
      const counted = await countInWindows(new Map([[named(key), { points: 1, windowMs }]]))
      return (counted.get(named(key))?.points ?? 0) <= points
    },

    async giveBack(key: string): Promise<void> {
      await pool().query("UPDATE rate_windows SET points = greatest(0, points - 1) WHERE key = $1", [named(key)])
    },

    async forget(key: string): Promise<void> {
      await pool().query("DELETE FROM rate_windows WHERE key = $1", [named(key)])
    },

    /** Begins a window now, whatever there was. */
    async begin(key: string): Promise<void> {
      await pool().query(
        `INSERT INTO rate_windows (key, points, expire) VALUES ($1, 1, ${NOW_MS} + $2::bigint)
          ON CONFLICT (key) DO UPDATE SET points = excluded.points, expire = excluded.expire`,
        [named(key), windowMs],
      )
    },

    /** Whether a window is running. One that ends later than now and its length was written by a clock that was set back. */
    async isRunning(key: string): Promise<boolean> {
      const { rowCount } = await pool().query(
        `SELECT 1 FROM rate_windows WHERE key = $1 AND expire > ${NOW_MS} AND expire <= ${NOW_MS} + $2::bigint`,
        [named(key), windowMs],
      )
      return rowCount === 1
    },
  }
}
