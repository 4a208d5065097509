import { newRequestId } from "@/lib/platform/http/perform"
import { pathNotFound } from "@/lib/platform/http/problems"
import { answerProblem, type Handlers } from "@/lib/platform/http/serve"

const missing = async () => answerProblem(pathNotFound(), newRequestId().text)

/** The handlers of every path under /v1 at which nothing lives: a problem, not a page. */
export const missingPath: Handlers = {
  GET: missing,
  HEAD: missing,
  POST: missing,
  PUT: missing,
  PATCH: missing,
  DELETE: missing,
  OPTIONS: missing,
}
