import { databaseState, type DatabaseState } from "@/lib/platform/database/clock-sql"
import { newRequestId } from "@/lib/platform/http/perform"
import { serviceUnavailable } from "@/lib/platform/http/problems"
import { answerProblem } from "@/lib/platform/http/answer"

export const dynamic = "force-dynamic"

const databaseAnswersWithinMs = 1_000
/**
 * All hosts share the database: while it fails over, callers are better off with our 503 and its Retry-After than with a load
 * balancer that has nobody left. A host that cannot reach it for longer than that has a fault of its own.
 */
const patienceMs = 30_000

let wasUp = false
let downSince: number | undefined

/** 200 while this process can do its work: it has found a database that takes writes, and has not missed it for 30 s since. */
export async function GET() {
  const late = new Promise<DatabaseState>((resolve) =>
    setTimeout(resolve, databaseAnswersWithinMs, "unreachable").unref(),
  )
  const database = await Promise.race([databaseState(), late])
  if (database === "up") {
    wasUp = true
    downSince = undefined
    return Response.json({ status: "ok" }, { headers: { "Cache-Control": "no-store" } })
  }
  downSince ??= performance.now()
  if (wasUp && performance.now() - downSince < patienceMs) {
    return Response.json({ status: "ok", database }, { headers: { "Cache-Control": "no-store" } })
  }
  const detail = database === "read-only" ? "The database accepts no writes." : "The database does not answer."
  return answerProblem(serviceUnavailable(detail, { retryAfterSeconds: 1 }), newRequestId().text)
}
