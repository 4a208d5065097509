import { liveSession, sessionIdOf } from "@/lib/access/credentials/session"
import { reportRegions } from "@/lib/delivery/regions/data"
import { databaseState } from "@/lib/platform/database/clock-sql"
import { log } from "@/lib/platform/log"
import { countOperatorMails } from "@/lib/inbound/data"
import { countWaitingWork, overdue } from "@/lib/worker/queue-sql"

export const dynamic = "force-dynamic"

const databaseAnswersWithinMs = 1_000
/** The costliest questions have less time: whoever does not know their answers still knows the others. */
const costlyWithinMs = 700

/**
 * The state of the installation: `ok`, `degraded` while a region cannot reach its relay or something has stood still for
 * more than a minute, `down` without a database that takes
 * writes (503).
 * Only loopback and people who are signed in learn more than that word.
 */
export async function GET(request: Request) {
  const details = await Promise.race([detailsNow().catch(() => null), nullAfter(databaseAnswersWithinMs)])
  const degraded = details?.regions.some(({ status }) => status === "down") || details?.overdue?.length
  const status = !details ? "down" : degraded ? "degraded" : "ok"
  const answer = details && (await mayKnow(request)) ? { status, ...details } : { status }
  return Response.json(answer, { status: details ? 200 : 503, headers: { "Cache-Control": "no-store" } })
}

function nullAfter(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(resolve, ms, null).unref())
}

/** Null if it takes longer, so that the rest of the answer is known. */
function inTime<T>(asked: Promise<T>, what: string): Promise<T | null> {
  return Promise.race([asked, nullAfter(costlyWithinMs)]).catch((error: unknown) => {
    log.warn({ err: error }, `${what} could not be read`)
    return null
  })
}

async function detailsNow() {
  const [database, regions, queue, forOperator, found] = await Promise.all([
    databaseState(),
    reportRegions(),
    countWaitingWork(),
    inTime(countOperatorMails(), "the operator's mailbox"),
    inTime(overdue(), "what makes no progress"),
  ])
  if (database !== "up") return null
  const due = queue.deliveries.reduce((sum, { count }) => sum + count, 0)
  const oldest = Math.max(0, ...queue.deliveries.map(({ oldestSeconds }) => oldestSeconds))
  return {
    database: { status: "up" },
    queue: { due, oldestDueSeconds: Math.round(oldest), undispatchedEvents: queue.events.count },
    returnedMail: {
      waiting: queue.returnedMail.count,
      oldestWaitingSeconds: Math.round(queue.returnedMail.oldestSeconds),
      ...(forOperator && { forOperator }),
    },
    ...(found && { overdue: found }),
    regions,
  }
}

async function mayKnow({ headers }: Request): Promise<boolean> {
  const address = headers.get("x-client-ip") ?? ""
  if (/^(127\.|::1$)/.test(address)) return true
  const sessionId = await sessionIdOf(headers.get("cookie") ?? "")
  return sessionId ? (await liveSession(sessionId)) !== null : false
}
