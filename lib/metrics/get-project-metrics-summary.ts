import { z } from "zod"
import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { figuresOf, windowBefore, windowOf } from "@/lib/metrics/rules"
import { ProjectMetricsSummary, windowQuery } from "@/lib/metrics/schema"
import * as metrics from "@/lib/metrics/store"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"

export const getProjectMetricsSummary = endpoint({
  route: "GET /v1/metrics/summary",
  operationId: "getProjectMetricsSummary",
  tag: "Metrics",
  summary: "Project metrics summary",
  description: `Counts and rates of a window. Rates are fractions from 0 to 1, and 0 where there is nothing to divide
by. Simulator and test mail is not counted.`,
  access: allow("emails:send", "emails:read", "metrics:read"),
  bucket: buckets.metrics,
  query: {
    window: windowQuery,
    compare: z.enum(["previous"]).optional().describe("Additive: adds the window before."),
    projectId: z.string().optional().describe("For signed-in people; a key means its own project."),
  },
  answers: [200, ProjectMetricsSummary],
  problems: [requestInvalid],

  async run(scope, { query }, { clock }) {
    const window = windowOf(query.window, clock.now())
    const before = query.compare ? windowBefore(window) : null
    const [counts, earlier] = await Promise.all([
      metrics.sumHours(scope, window.from, window.to),
      before && metrics.sumHours(scope, before.from, before.to),
    ])
    return {
      projectId: scope.project.id,
      window,
      ...figuresOf(counts),
      ...(before && earlier ? { previous: { ...before, ...figuresOf(earlier) } } : {}),
    }
  },
})
