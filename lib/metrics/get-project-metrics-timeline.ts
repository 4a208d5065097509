import { z } from "zod"
import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { countsByBucket, countsOfSliceByBucket } from "@/lib/metrics/bucket-sql"
import { requestedSlice } from "@/lib/metrics/requested-slice"
import { requestedWindow } from "@/lib/metrics/requested-window"
import { noCounts } from "@/lib/metrics/rules"
import { broadcastQuery, domainQuery, projectQuery, ProjectMetricsTimeline, windowQuery } from "@/lib/metrics/schema"
import { timelineOf } from "@/lib/metrics/timeline"
import { bucketsOf, granularities, granularityOf, hourlyDaysMax, tooLongForHours } from "@/lib/metrics/window-rules"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"

export const getProjectMetricsTimeline = endpoint({
  route: "GET /v1/metrics/timeline",
  operationId: "getProjectMetricsTimeline",
  tag: "Metrics",
  summary: "Project metrics timeline",
  description: `The counts and rates of a window by hour or day. Every bucket of the window is returned; the first and the last
may be cut by it. Simulator and test mail is not counted.`,
  access: allow("emails:send", "emails:read", "metrics:read"),
  bucket: buckets.metrics,
  query: {
    ...windowQuery,
    granularity: z
      .enum(granularities)
      .optional()
      .describe(
        `\`hour\` for \`24h\` and ranges of up to two days, else \`day\`. A range of more than ${hourlyDaysMax} days has no hours.`,
      ),
    format: z.enum(["compact", "detailed"]).default("detailed").describe("`compact` leaves the changes out."),
    domain: domainQuery,
    broadcastId: broadcastQuery,
    projectId: projectQuery,
  },
  answers: [200, ProjectMetricsTimeline],
  problems: [requestInvalid],

  async run(scope, { query }, { clock }) {
    const window = requestedWindow(query, clock.now())
    const granularity = query.granularity ?? granularityOf(window)
    if (granularity === "hour" && tooLongForHours(window)) {
      const detail = `Must be \`day\` for a range of more than ${hourlyDaysMax} days.`
      throw requestInvalid(undefined, { errors: [{ pointer: "query/granularity", detail }] })
    }
    const slice = requestedSlice(query)
    const found = slice
      ? await countsOfSliceByBucket(scope, slice, window, granularity)
      : await countsByBucket(scope, window, granularity)
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
