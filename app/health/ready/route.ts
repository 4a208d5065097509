import { databaseAnswers } from "@/lib/platform/database/clock-sql"
import { newRequestId } from "@/lib/platform/http/perform"
import { serviceUnavailable } from "@/lib/platform/http/problems"
import { answerProblem } from "@/lib/platform/http/answer"

export const dynamic = "force-dynamic"

const databaseAnswersWithinMs = 1_000

/** 200 while this process can do its work: the database answers within a second. */
export async function GET() {
  const late = new Promise<false>((resolve) => setTimeout(resolve, databaseAnswersWithinMs, false).unref())
  if (await Promise.race([databaseAnswers(), late])) {
    return Response.json({ status: "ok" }, { headers: { "Cache-Control": "no-store" } })
  }
  return answerProblem(
    serviceUnavailable("The database does not answer.", { retryAfterSeconds: 1 }),
    newRequestId().text,
  )
}
