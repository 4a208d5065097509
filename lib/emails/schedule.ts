import type { FieldProblem } from "@/lib/platform/http/problem"
import { timestamp } from "@/lib/platform/schema"

const aheadMinMs = 30_000
const aheadMaxMs = 30 * 24 * 3600_000

/** The time to which a request puts an email off; null for none. What is wrong with it is added to the faults. */
export function scheduleOf({ scheduledAt }: { scheduledAt?: string }, now: Date, faults: FieldProblem[]): Date | null {
  if (scheduledAt === undefined) return null
  const refuse = (detail: string) => {
    faults.push({ pointer: "/scheduledAt", detail })
    return null
  }
  if (scheduledAt === "optimal") return refuse("`optimal` is not offered yet; give a time.")
  const { data: at, error } = timestamp.safeParse(scheduledAt)
  if (!at) return refuse(error?.issues[0]?.message ?? "Must be a time.")
  const ahead = at.getTime() - now.getTime()
  return ahead < aheadMinMs || ahead > aheadMaxMs ? refuse("Must be 30 seconds to 30 days ahead.") : at
}
