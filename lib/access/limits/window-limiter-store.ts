import { countInWindows } from "@/lib/access/limits/windows-sql"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { unscoped } from "@/lib/platform/database/db"

/** Limits how often each key counts in a window, over all processes and by the database's clock. */
export function windowLimiter({ prefix, points, seconds }: { prefix: string; points: number; seconds: number }) {
  const named = (key: string) => `${prefix}:${key}`
  const windowMs = seconds * 1_000

  return {
    /** Counts one; false when the window is over its limit. */
    async take(key: string): Promise<boolean> {
      const counted = await countInWindows([{ key: named(key), points: 1, windowMs }])
      return (counted.get(named(key))?.points ?? 0) <= points
    },

    async giveBack(key: string): Promise<void> {
      await unscoped().rateWindow.updateMany({
        where: { key: named(key), points: { gt: 0 } },
        data: { points: { decrement: 1 } },
      })
    },

    async forget(key: string): Promise<void> {
      await unscoped().rateWindow.deleteMany({ where: { key: named(key) } })
    },

    /** Begins a window now, even if one is running. */
    async begin(key: string): Promise<void> {
      const window = { points: 1, expire: (await databaseTime()).getTime() + windowMs }
      await unscoped().rateWindow.upsert({
        where: { key: named(key) },
        create: { key: named(key), ...window },
        update: window,
      })
    },

    /** One that ends later than now and its length was written by a clock that was set back. */
    async isRunning(key: string): Promise<boolean> {
      const now = (await databaseTime()).getTime()
      const where = { key: named(key), expire: { gt: now, lte: now + windowMs } }
      return (await unscoped().rateWindow.count({ where })) === 1
    },
  }
}
