import { sessionIdOf } from "@/lib/access/credentials/session-cookie"
import { liveSession } from "@/lib/access/credentials/session-cache"
import { reportRegions } from "@/lib/delivery/regions/report"
import { databaseState } from "@/lib/platform/database/clock-sql"
import { waiting } from "@/lib/worker/queue-sql"

export const dynamic = "force-dynamic"

const databaseAnswersWithinMs = 1_000

/**
 * The state of the installation: `ok`, `degraded` while a region cannot reach its relay, `down` without a database that takes
 * writes (503).
 * Only loopback and people who are signed in learn more than that word.
 */
export async function GET(request: Request) {
  const late = new Promise<null>((resolve) => setTimeout(resolve, databaseAnswersWithinMs, null).unref())
  const details = await Promise.race([detailsNow().catch(() => null), late])
  const degraded = details?.regions.some(({ status }) => status === "down")
  const status = !details ? "down" : degraded ? "degraded" : "ok"
  const answer = details && (await mayKnow(request)) ? { status, ...details } : { status }
  return Response.json(answer, { status: details ? 200 : 503, headers: { "Cache-Control": "no-store" } })
}

async function detailsNow() {
  const [database, regions, queue] = await Promise.all([databaseState(), reportRegions(), waiting()])
  if (database !== "up") return null
  const due = queue.deliveries.reduce((sum, { count }) => sum + count, 0)
  const oldest = Math.max(0, ...queue.deliveries.map(({ oldestSeconds }) => oldestSeconds))
  return {
    database: { status: "up" },
    queue: { due, oldestDueSeconds: Math.round(oldest), undispatchedEvents: queue.events.count },
    regions,
  }
}

async function mayKnow({ headers }: Request): Promise<boolean> {
  const address = headers.get("x-client-ip") ?? ""
  if (/^(127\.|::1$)/.test(address)) return true
  const sessionId = await sessionIdOf(headers.get("cookie") ?? "")
  return sessionId ? (await liveSession(sessionId)) !== null : false
}
