import { counter, histogram, secondsBuckets } from "@/lib/platform/metrics"

const requests = counter("mailroom_http_requests_total", "Answers by route template and class of status.", [
  "method",
  "route",
  "status",
])
const durations = histogram(
  "mailroom_http_request_duration_seconds",
  "From the request to its answer.",
  secondsBuckets,
  ["method", "route"],
)

/** Notes one answer. `route` is a template such as /v1/emails/{emailId}, never a path as it was asked. */
export function countAnswer(answer: { method: string; route: string; status: number; durationMs: number }) {
  const { method, route, status, durationMs } = answer
  requests.inc({ method, route, status: `${Math.floor(status / 100)}xx` })
  durations.observe({ method, route }, durationMs / 1000)
}
