import { beginWindow, countInWindows, giveBackPoint, isWindowRunning } from "@/lib/access/limits/windows-sql"
import { unscoped } from "@/lib/platform/database/db"

/** Limits how often each key counts in a window, over all processes and by the database's clock. */
export function windowLimiter({ prefix, points, seconds }: { prefix: string; points: number; seconds: number }) {
  const named = (key: string) => `${prefix}:${key}`
  const windowMs = seconds * 1_000

  return {
    /** Counts one; false when the window is over its limit. */
    async take(key: string): Promise<boolean> {
      const counted = await countInWindows(new Map([[named(key), { points: 1, windowMs }]]))
      return (counted.get(named(key))?.points ?? 0) <= points
    },

    giveBack: (key: string) => giveBackPoint(named(key)),

    async forget(key: string): Promise<void> {
      await unscoped().rateWindow.deleteMany({ where: { key: named(key) } })
    },

    begin: (key: string) => beginWindow(named(key), windowMs),

    isRunning: (key: string) => isWindowRunning(named(key), windowMs),
  }
}
