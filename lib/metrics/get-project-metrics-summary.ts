import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { sumRanges, sumSlice } from "@/lib/metrics/bucket-sql"
import { requestedSlice } from "@/lib/metrics/requested-slice"
import { requestedWindow } from "@/lib/metrics/requested-window"
import { figuresOf, noCounts } from "@/lib/metrics/rules"
import {
  broadcastQuery,
  compareQuery,
  domainQuery,
  projectQuery,
  ProjectMetricsSummary,
  windowQuery,
} from "@/lib/metrics/schema"
import { windowBefore } from "@/lib/metrics/window-rules"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"

export const getProjectMetricsSummary = endpoint({
  route: "GET /v1/metrics/summary",
  operationId: "getProjectMetricsSummary",
  tag: "Metrics",
  summary: "Project metrics summary",
  description: `Counts and rates of a window. Each recipient counts once, in the hour of the first event, whatever the order in
which events arrive. Rates are fractions from 0 to 1, and 0 where there is nothing to divide by. Simulator and test mail is not counted.`,
  access: allow("emails:send", "emails:read", "metrics:read"),
  bucket: buckets.metrics,
  query: {
    ...windowQuery,
    domain: domainQuery,
    broadcastId: broadcastQuery,
    compare: compareQuery,
    projectId: projectQuery,
  },
  answers: [200, ProjectMetricsSummary],
  problems: [requestInvalid],

  async run(scope, { query }, { clock }) {
    const window = requestedWindow(query, clock.now())
    const before = query.compare ? windowBefore(window) : null
    const slice = requestedSlice(query)
    const ranges = before ? [window, before] : [window]
    const [counts = noCounts(), earlier] = slice
      ? await Promise.all(ranges.map((range) => sumSlice(scope, slice, range)))
      : await sumRanges(scope, ranges)
    return {
      projectId: scope.project.id,
      window,
      ...figuresOf(counts),
      ...(before && earlier ? { previous: { ...before, ...figuresOf(earlier) } } : {}),
    }
  },
})
