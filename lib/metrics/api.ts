import { z } from "zod"
import { buckets } from "@/lib/access/limits/data"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import * as metrics from "@/lib/metrics/data"
import {
  countsByBucket,
  countsOf,
  countsOfSliceByBucket,
  type Slice,
  type SliceSum,
  sumRanges,
  sumSlice,
  sumSlices,
} from "@/lib/metrics/data"
import { providerName, reportsComplaints } from "@/lib/metrics/provider-rules"
import {
  type RequestedWindow,
  askedWindow,
  type Breakdown,
  breakdownRowsMax,
  breakdowns,
  bucketsOf,
  type Counts,
  engagementScore,
  figuresOf,
  granularities,
  type Granularity,
  granularityOf,
  hourlyDaysMax,
  type MetricWindow,
  noCounts,
  ratesOf,
  reachedOf,
  sumOf,
  tooLongForHours,
  topicFiguresOf,
  windowBefore,
  windowLabels,
  windowOf,
} from "@/lib/metrics/rules"
import {
  broadcastQuery,
  compareQuery,
  domainQuery,
  MetricsBreakdown,
  ProjectMetricsSummary,
  ProjectMetricsTimeline,
  projectQuery,
  timeZoneQuery,
  TopicPerformance,
  windowQuery,
} from "@/lib/metrics/schema"
import { type ZonedDay, zonedDays } from "@/lib/metrics/zone-rules"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId } from "@/lib/platform/ids"
import { idText, int64, present } from "@/lib/platform/schema"
import { findTopic, topicNames } from "@/lib/topics/data"
import { topicMissing } from "@/lib/topics/schema"
import { averageReadSeconds } from "@/lib/tracking/data"

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
    timeZone: timeZoneQuery,
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
    const read = (grain: Granularity) =>
      slice ? countsOfSliceByBucket(scope, slice, window, grain) : countsByBucket(scope, window, grain)
    const counted =
      granularity === "day" && query.timeZone
        ? byZonedDay(await read("hour"), zonedDays(window, query.timeZone, query.from))
        : byBucket(await read(granularity), bucketsOf(window, granularity))
    return {
      projectId: scope.project.id,
      window,
      granularity,
      format: query.format,
      ...timelineOf(counted, query.format === "detailed"),
    }
  },
})

export const getMetricsBreakdown = endpoint({
  route: "GET /v1/metrics/breakdown",
  operationId: "getMetricsBreakdown",
  tag: "Metrics",
  summary: "Metrics by domain, provider, topic or tag",
  description: `The figures of a window by sending domain, mailbox provider, topic or tag: the ${breakdownRowsMax} with the most email, and the sum
of the others. Domains and providers add up to the project's summary. Email without a topic or tag is in none of these rows, and of an
email with several tags the first ten in alphabetical order count. A day keeps the first 200 keys of each kind; what
comes after them that day is counted under the others. Gmail, Outlook, Yahoo, iCloud and GMX are recognized by the domain of the address; every
other provider is the recipient's domain.`,
  access: allow("emails:send", "emails:read", "metrics:read"),
  bucket: buckets.metrics,
  query: {
    by: z.enum(breakdowns).describe("What to break down by."),
    ...windowQuery,
    compare: compareQuery,
    projectId: projectQuery,
  },
  answers: [200, MetricsBreakdown],
  problems: [requestInvalid],
  additive: true,

  async run(scope, { query }, { clock }) {
    const { by } = query
    const window = requestedWindow(query, clock.now())
    const sums = await sumSlices(scope, by, window, { top: breakdownRowsMax })
    const among = sums.flatMap(({ key }) => key ?? [])
    const earlier = query.compare ? await sumSlices(scope, by, windowBefore(window), { top: 0, among }) : null
    const names = await namesOf(scope, by, among)
    const before = (key: string | null) =>
      earlier ? { previous: figuresOf(countsOfSum(earlier.find((sum) => sum.key === key))) } : {}
    const other = sums.find(({ key }) => key === null)
    return {
      projectId: scope.project.id,
      window,
      by,
      data: sums.flatMap((sum) => {
        if (sum.key === null) return []
        const reports = by === "provider" ? reportsComplaints(sum.key) : undefined
        return {
          key: by === "topic" ? encodeId("top", sum.key) : sum.key,
          name: names(sum.key),
          ...figuresOf(countsOfSum(sum)),
          ...(reports === undefined ? {} : { reportsComplaints: reports }),
          ...before(sum.key),
        }
      }),
      ...(other ? { other: { keys: other.keys, ...figuresOf(countsOfSum(other)), ...before(null) } } : {}),
    }
  },
})

function countsOfSum(sum: SliceSum | undefined) {
  if (!sum) return noCounts()
  const { key: _key, keys: _keys, ...counts } = sum
  return counts
}

async function namesOf(scope: Scope, by: Breakdown, keys: readonly string[]): Promise<(key: string) => string> {
  if (by === "provider") return providerName
  if (by !== "topic") return (key) => key
  const names = await topicNames(scope, keys)
  return (key) => names.get(key) ?? "Deleted topic"
}

export const getTopicPerformance = endpoint({
  route: "GET /v1/metrics/topics/{id}",
  operationId: "getTopicPerformance",
  tag: "Metrics",
  summary: "Topic engagement analytics",
  description: `Counts and rates of a topic's mail in a window, from the same hours as the project's summary: mail to \`top_…\`, and
mail with that \`topicId\`. Rates are fractions from 0 to 1, and 0 where there is nothing to divide by. Simulator and test mail is
not counted; opens and clicks are those of people.`,
  access: allow("emails:send", "emails:read", "metrics:read"),
  bucket: buckets.metrics,
  path: { id: { prefix: "top", missing: topicMissing } },
  query: {
    window: z.enum(windowLabels).default("30d").describe("Ends now and begins at a whole UTC hour."),
    projectId: idText("proj").optional().describe("For signed-in users. An API key always uses its own project."),
  },
  answers: [200, TopicPerformance],
  problems: [topicMissing],

  async run(scope, { path, query }, { clock }) {
    const now = clock.now()
    const window = windowOf(query.window, now)
    const [topic, counts, seconds] = await Promise.all([
      findTopic(scope, path.id),
      metrics.sumTopicHours(scope, path.id, window),
      averageReadSeconds(scope, path.id, window),
    ])
    if (!topic) throw topicMissing()
    return {
      topicId: topic.id,
      topicName: topic.name,
      window,
      ...topicFiguresOf(counts),
      avgReadTimeSeconds: present(seconds),
      optInCount: topic.optInCount,
      optOutCount: topic.optOutCount,
      computedAt: now,
    }
  },
})

export const ProjectCounts = z
  .strictObject({
    emails: int64.describe("Emails accepted since the project was created."),
    sandbox: int64.describe("Messages in the sandbox mailbox."),
    contacts: int64,
    segments: int64,
    topics: int64,
    properties: int64,
    suppressions: int64,
    domains: int64,
    webhooks: int64,
    apiKeys: int64.describe("Keys that are not revoked."),
    attention: z
      .strictObject({
        domains: z
          .strictObject({ degraded: int64, failed: int64 })
          .describe("Domains whose DNS records are missing, by status."),
        webhooks: z
          .strictObject({ failing: int64, stopped: int64 })
          .describe("Webhooks whose latest attempts failed, and those that were disabled because of it."),
      })
      .describe("What needs attention."),
  })
  .meta({ id: "ProjectCountsResponse" })

export const getProjectCounts = endpoint({
  route: "GET /v1/projects/{projectId}/counts",
  operationId: "getProjectCounts",
  tag: "Projects",
  summary: "Count what a project has",
  description: "The counts that the dashboard shows in its navigation.",
  access: allow("projects:read"),
  bucket: null,
  answers: [200, ProjectCounts],
  problems: [projectMissing],
  additive: true,

  run: async (scope) => {
    const counts = await countsOf(scope)
    if (!counts) throw projectMissing()
    return counts
  },
})

export type CountedBucket = { bucket: Date; counts: Counts }

function byBucket(found: ReadonlyMap<number, Counts>, buckets: readonly Date[]): CountedBucket[] {
  return buckets.map((bucket) => ({ bucket, counts: found.get(bucket.getTime()) ?? noCounts() }))
}

function byZonedDay(found: ReadonlyMap<number, Counts>, days: readonly ZonedDay[]): CountedBucket[] {
  return days.map(({ bucket, hours }) => ({
    bucket,
    counts: sumOf(hours.flatMap((hour) => found.get(hour.getTime()) ?? [])),
  }))
}

/** Buckets and totals as the API writes them; `deltas` adds to each the change to the one before. */
function timelineOf(counted: readonly CountedBucket[], deltas: boolean) {
  const buckets = counted.map(({ bucket, counts }) => ({
    bucket,
    ...figuresOf(counts),
    engagementScore: engagementScore(ratesOf(counts)),
  }))
  const changed = buckets.map((now, index) => {
    const before = buckets[index - 1]
    if (!deltas || !before) return now
    return {
      ...now,
      sentDelta: now.sent - before.sent,
      deliveredDelta: now.delivered - before.delivered,
      bounceRateDelta: now.bounceRate - before.bounceRate,
      openRateDelta: now.openRate - before.openRate,
    }
  })
  return { buckets: changed, totals: totalsOf(counted) }
}

function totalsOf(counted: readonly CountedBucket[]) {
  const scores = counted.flatMap(({ counts }) => (reachedOf(counts) > 0 ? engagementScore(ratesOf(counts)) : []))
  const peak = counted.reduce<CountedBucket | null>(
    (most, one) => (one.counts.sent > (most?.counts.sent ?? 0) ? one : most),
    null,
  )
  return {
    ...figuresOf(sumOf(counted.map(({ counts }) => counts))),
    avgEngagementScore: scores.length
      ? Math.round(scores.reduce((total, score) => total + score, 0) / scores.length)
      : 0,
    ...(peak ? { peakBucket: peak.bucket } : {}),
  }
}

/** Whose email a request asks for: one sending domain or one broadcast; null for all. */
function requestedSlice({ domain, broadcastId }: { domain?: string; broadcastId?: string }): Slice | null {
  if (domain !== undefined && broadcastId !== undefined) {
    const detail = "Give a domain or a broadcast, not both."
    throw requestInvalid(undefined, { errors: [{ pointer: "query/broadcastId", detail }] })
  }
  if (broadcastId !== undefined) return { by: "broadcast", key: broadcastId }
  return domain === undefined ? null : { by: "domain", key: domain.toLowerCase() }
}

/** The window of a request; a range that cannot be is 400 with its pointer. */
function requestedWindow(query: RequestedWindow, now: Date): MetricWindow {
  const window = askedWindow(query, now)
  if ("pointer" in window) throw requestInvalid(undefined, { errors: [window] })
  return window
}

export const metricOperations = [
  getMetricsBreakdown,
  getProjectMetricsSummary,
  getProjectMetricsTimeline,
  getTopicPerformance,
] as const
