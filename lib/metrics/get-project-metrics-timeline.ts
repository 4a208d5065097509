import { z } from "zod"
import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { countsByBucket } from "@/lib/metrics/bucket-sql"
import { bucketsOf, noCounts, windowOf, windows } from "@/lib/metrics/rules"
import { ProjectMetricsTimeline, windowQuery } from "@/lib/metrics/schema"
import { timelineOf } from "@/lib/metrics/timeline"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"

export const getProjectMetricsTimeline = endpoint({
  route: "GET /v1/metrics/timeline",
  operationId: "getProjectMetricsTimeline",
  tag: "Metrics",
  summary: "Project metrics timeline",
  description: `The counts and rates of a window by hour or day. Every bucket of the window is there; the first and the last
may be cut by it. Simulator and test mail is not counted.`,
  access: allow("emails:send", "emails:read", "metrics:read"),
  bucket: buckets.metrics,
  query: {
    window: windowQuery,
    granularity: z.enum(["hour", "day"]).optional().describe("`hour` for `24h`, else `day`."),
    format: z.enum(["compact", "detailed"]).default("detailed").describe("`compact` leaves the changes out."),
    projectId: z.string().optional().describe("For signed-in people; a key means its own project."),
  },
  answers: [200, ProjectMetricsTimeline],
  problems: [requestInvalid],

  async run(scope, { query }, { clock }) {
    const window = windowOf(query.window, clock.now())
    const granularity = query.granularity ?? (windows[query.window] <= 24 ? "hour" : "day")
    const found = await countsByBucket(scope, window.from, window.to, granularity)
    const counted = bucketsOf(window, granularity).map((bucket) => ({
      bucket,
      counts: found.get(bucket.getTime()) ?? noCounts(),
    }))
    return {
      projectId: scope.project.id,
      window,
      granularity,
      format: query.format,
      ...timelineOf(counted, query.format === "detailed"),
    }
  },
})
