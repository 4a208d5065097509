import { guard } from "@/lib/access/guard"
import { recordRequest } from "@/lib/api-keys/usage/record"
import { methodOf, pathOf } from "@/lib/platform/http/endpoint"
import { countAnswer } from "@/lib/platform/http/request-metrics"
import { createServe, type Guard } from "@/lib/platform/http/serve"
import { systemIo } from "@/lib/regions/io"

/** Turns operations into the route handlers of their path, behind the API's guard. */
export const serve = createServe({ ...guard, answered }, systemIo)

function answered(report: Parameters<Guard["answered"]>[0]) {
  const { endpoint, status, durationMs } = report
  recordRequest(report)
  countAnswer({ method: methodOf(endpoint), route: pathOf(endpoint), status, durationMs })
}
