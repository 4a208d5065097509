import { newRequestId } from "@/lib/platform/http/perform"
import { pathNotFound } from "@/lib/platform/http/problems"
import { problemAnswer } from "@/lib/platform/http/answer"
import { handlerOf, handlersOf, type Handlers } from "@/lib/platform/http/serve"

/** The handlers of every path under /v1 at which nothing lives: a problem, not a page. */
export const missingPath: Handlers = handlersOf(
  handlerOf(async () => problemAnswer(pathNotFound(), newRequestId().text)),
)
