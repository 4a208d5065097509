import type { FieldProblem } from "@/lib/platform/problem"

const AHEAD_MIN_MS = 30_000
const AHEAD_MAX_MS = 30 * 24 * 3600_000

/** The time to which a request puts an email off; null for none. What is wrong with it is added to the faults. */
export function scheduleOf({ scheduledAt }: { scheduledAt?: string }, now: Date, faults: FieldProblem[]): Date | null {
  if (scheduledAt === undefined) return null
  const at = new Date(scheduledAt)
  const ahead = at.getTime() - now.getTime()
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(scheduledAt) && Number.isFinite(ahead)
  const refuse = (detail: string) => faults.push({ pointer: "/scheduledAt", detail })
  if (scheduledAt === "optimal") refuse("`optimal` is not offered yet; give a time.")
  else if (!isTime) refuse("Must be an ISO 8601 time with its offset, such as 2026-12-24T18:00:00Z.")
  else if (ahead < AHEAD_MIN_MS || ahead > AHEAD_MAX_MS) refuse("Must be 30 seconds to 30 days ahead.")
  return at
}
