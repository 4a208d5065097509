import { z } from "zod"
import { double, id, int32, int64, timestamp } from "@/lib/platform/schema"
import { windowLabels } from "@/lib/metrics/rules"

export const windowQuery = z.enum(windowLabels).default("7d").describe("Ends now and begins with a whole UTC hour.")

export const MetricsWindow = z
  .strictObject({ label: z.enum(windowLabels), from: timestamp, to: timestamp })
  .meta({ id: "MetricsWindowResponse" })

/** What summary, buckets and totals have in common. */
const counts = {
  sent: int32.describe("Deliveries that ended with an SMTP response, one per recipient."),
  delivered: int32,
  bounced: int32.describe("Hard bounces."),
  complained: int32,
  opened: int32.describe("Recipients that opened; opens by machines are excluded."),
  clicked: int32.describe("Recipients that clicked; clicks by machines are excluded."),
  unsubscribed: int32,
  failed: int32,
  readEngaged: int32,
}

const rates = {
  deliveryRate: double.describe("Of sent."),
  bounceRate: double.describe("Of sent."),
  openRate: double.describe("Of delivered."),
  clickRate: double.describe("Of delivered."),
  complaintRate: double.describe("Of delivered."),
  readEngagementRate: double.describe("Of delivered."),
}

export const ProjectMetricsSummary = z
  .strictObject({
    projectId: id("proj"),
    window: MetricsWindow,
    ...counts,
    ...rates,
    previous: z
      .strictObject({ from: timestamp, to: timestamp, ...counts, ...rates })
      .meta({ id: "PreviousMetricsResponse" })
      .optional()
      .describe("Additive: the window of the same length before this one, with `compare=previous`."),
  })
  .meta({ id: "ProjectMetricsSummaryResponse" })

const score = int32.describe("0 to 100: of what was delivered, opens weigh 40, clicks 40 and reads 20.")

export const TimelineBucket = z
  .strictObject({
    bucket: timestamp.describe("Its first instant; hours and days are in UTC."),
    ...counts,
    deliveryDelayed: int32,
    ...rates,
    engagementScore: score,
    sentDelta: int32.optional().describe("Change from the previous bucket; the first has none."),
    deliveredDelta: int32.optional(),
    bounceRateDelta: double.optional(),
    openRateDelta: double.optional(),
  })
  .meta({ id: "ProjectDetailedTimelineBucketResponse" })

export const ProjectMetricsTimeline = z
  .strictObject({
    projectId: id("proj"),
    window: MetricsWindow,
    granularity: z.string().describe("`hour` or `day`."),
    format: z.string().describe("`detailed`, or `compact` without the changes."),
    buckets: z.array(TimelineBucket).describe("All of the window, oldest first, including those without email."),
    totals: z
      .strictObject({
        ...counts,
        ...rates,
        avgEngagementScore: int32.describe("Mean over the buckets in which mail was delivered."),
        peakBucket: timestamp.optional().describe("The bucket with the most sent; absent if nothing was sent."),
      })
      .meta({ id: "ProjectTimelineTotalsResponse" }),
  })
  .meta({ id: "ProjectDetailedMetricsTimelineResponse" })

export const TopicPerformance = z
  .strictObject({
    topicId: id("top"),
    topicName: z.string(),
    window: MetricsWindow,
    totalEmails: counts.sent,
    delivered: counts.delivered,
    bounced: counts.bounced,
    complained: counts.complained,
    opened: counts.opened,
    clicked: counts.clicked,
    unsubscribed: counts.unsubscribed,
    readEngaged: counts.readEngaged,
    ...rates,
    deliveryRate: double.describe("Of totalEmails."),
    bounceRate: double.describe("Of totalEmails."),
    unsubscribeRate: double.describe("Of delivered."),
    avgReadTimeSeconds: double.optional().describe("Absent where reading is not tracked."),
    optInCount: int64.describe("Contacts that opted in themselves, as of now."),
    optOutCount: int64.describe("Contacts that opted out themselves, as of now."),
    computedAt: timestamp,
  })
  .meta({ id: "TopicPerformanceResponse" })
