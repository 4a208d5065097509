import { databaseIsOpen, pool } from "@/lib/platform/database/db"

/** The channel on which workers hear that there may be work. */
export const workChannel = "mailroom_work"

const everyMs = 50

let timer: NodeJS.Timeout | undefined
let again = false

/**
 * Wakes the workers for what this process has just committed: at once, and then at most every 50 ms, however much is
 * committed. Call it after a commit, never in a transaction: NOTIFY takes a lock of the whole server when it commits. What is
 * lost is found by the workers' polls. Raw, because Prisma has no NOTIFY.
 */
export function announceWork(): void {
  again = timer !== undefined
  if (timer) return
  timer = setTimeout(() => {
    timer = undefined
    if (again && databaseIsOpen()) announceWork()
  }, everyMs).unref()
  void notify(workChannel)
}

/** Wakes who listens to a channel. As `announceWork`: after a commit, and what is lost is found by polls. */
export async function notify(channel: string): Promise<void> {
  await pool()
    .query({ name: "jobs.announce", text: "SELECT pg_notify($1, '')", values: [channel] })
    .catch(() => undefined)
}
