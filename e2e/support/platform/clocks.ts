import { hourMs } from "@/lib/platform/time"
import { vi } from "vitest"
import { pool } from "@/lib/platform/database/db"

/** Runs `work` while the clock of this process is an hour ahead of the database's; timers run as always. */
export async function anHourAhead<T>(work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + hourMs })
  try {
    return await work()
  } finally {
    vi.useRealTimers()
  }
}

/** Whether a time is the database's of now, within a minute. */
export async function isDatabaseTime(time: Date): Promise<boolean> {
  const { rows } = await pool().query<{ now: Date }>("SELECT now()")
  return Math.abs(time.getTime() - (rows[0]?.now.getTime() ?? 0)) < 60_000
}
