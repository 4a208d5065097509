import { newRequestId } from "@/lib/platform/perform"
import { pathNotFound } from "@/lib/platform/problems"
import { answerProblem } from "@/lib/platform/serve"

/** The answer of every path under /v1 at which nothing lives. */
export async function missing(): Promise<Response> {
  return answerProblem(pathNotFound(), newRequestId().text)
}
