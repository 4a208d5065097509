import type { IncomingMessage, ServerResponse } from "node:http"
import { pathTable } from "@/lib/platform/http/path-table"
import type { Handlers } from "@/lib/platform/http/serve"
import { DirectRequest } from "@/lib/server/web/direct-request"
import { writeAnswer } from "@/lib/server/web/write-answer"

/** Templates of the API's route folders with what their files export. */
export type Routes = readonly (readonly [template: string, handlers: Handlers])[]

/**
 * Serves the API by calling its route handlers before Next, whose routing costs twice what they do. Returns null for a path
 * that none of them serves, and rejects where an answer could not be written.
 */
export function createDirectApi(routes: Routes) {
  const find = pathTable(routes)
  return (request: IncomingMessage, response: ServerResponse): Promise<void> | null => {
    const [path = ""] = (request.url ?? "").split("?", 1)
    const handler = find(path)?.[request.method as keyof Handlers]
    return handler
      ? handler.answer(new DirectRequest(request, response)).then((answer) => writeAnswer(request, response, answer))
      : null
  }
}
