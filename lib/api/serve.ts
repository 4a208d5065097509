import { guard } from "@/lib/access/guard"
import { recordRequest } from "@/lib/api-keys/usage/record"
import { problemAnswer } from "@/lib/platform/http/answer"
import { methodOf, pathOf } from "@/lib/platform/http/endpoint"
import { newRequestId } from "@/lib/platform/http/perform"
import { pathNotFound } from "@/lib/platform/http/problems"
import { countAnswer, createServe, type Guard, handlerOf, type Handlers, handlersOf } from "@/lib/platform/http/serve"
import { systemIo } from "@/lib/regions/io"

/** Turns operations into the route handlers of their path, behind the API's guard. */
export const serve = createServe({ ...guard, answered }, systemIo)

function answered(report: Parameters<Guard["answered"]>[0]) {
  const { endpoint, status, durationMs } = report
  recordRequest(report)
  countAnswer({ method: methodOf(endpoint), route: pathOf(endpoint), status, durationMs })
}

/** The handlers of every path under /v1 at which nothing lives: a problem, not a page. */
export const missingPath: Handlers = handlersOf(
  handlerOf(async () => problemAnswer(pathNotFound(), newRequestId().text)),
)
