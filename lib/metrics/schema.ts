import { z } from "zod"
import { breakdownRowsMax, breakdowns, rangeDaysMax, windowLabels } from "@/lib/metrics/rules"
import { isTimeZone } from "@/lib/metrics/zone-rules"
import { double, id, idText, int32, int64, timestamp } from "@/lib/platform/schema"

/** The window of summary, timeline and breakdown, and whose mail they count. */
export const windowQuery = {
  window: z
    .enum(windowLabels)
    .default("7d")
    .describe("Ends now and begins at a whole UTC hour. Ignored if `from` is given."),
  from: timestamp
    .optional()
    .describe(`Additive: the start of a range of at most ${rangeDaysMax} days, extended to whole UTC hours.`),
  to: timestamp.optional().describe("Additive: the exclusive end of that range; defaults to now."),
}

export const projectQuery = idText("proj")
  .optional()
  .describe("For signed-in users. An API key always uses its own project.")

export const domainQuery = z
  .string()
  .min(1)
  .max(253)
  .regex(/^[^\0]*$/, "Holds no NUL character.")
  .optional()
  .describe("Additive: only email from this sending domain.")

export const broadcastQuery = id("bc")
  .optional()
  .describe("Additive: only email of this broadcast. Cannot be combined with `domain`.")

export const timeZoneQuery = z
  .string()
  .max(64)
  .refine(isTimeZone, "Must be the name of a time zone, such as Europe/Berlin.")
  .optional()
  .describe(
    "Additive: whose days the buckets of `granularity=day` are, by its IANA name; defaults to UTC. Counts are kept by UTC hours: in a zone with half hours, an hour counts on the day on which it begins.",
  )

export const compareQuery = z.enum(["previous"]).optional().describe("Additive: also returns the previous window.")

export const MetricsWindow = z
  .strictObject({
    label: z.enum([...windowLabels, "custom"]).describe("`custom` with `from`."),
    from: timestamp,
    to: timestamp,
  })
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

const ofDelivered = "As a share of delivered, or of sent where `deliveryReported` is false."

/** Whether delivery is reported, and of how many it is not. */
export const report = {
  deliveryReported: z
    .boolean()
    .optional()
    .describe(
      "Additive: false if some of this was accepted by a relay that reports nothing further. Rates of delivered are of sent then.",
    ),
  deliveryNotReported: int32
    .optional()
    .describe(
      "Additive: of sent, what a relay accepted that reports nothing further. The rest of sent was delivered, bounced, is known to have failed otherwise, or awaits its report.",
    ),
  awaitingReport: int32
    .optional()
    .describe("Additive: of sent, what a relay accepted whose report of delivery has not come yet."),
}

/** Counts beyond the contract. */
const more = {
  ...report,
  deferred: int32.optional().describe("Additive: recipients that were delivered after at least one deferral."),
  machineOpens: int32
    .optional()
    .describe("Additive: recipients whose email a machine opened, whether or not a person did."),
  openedByAnyone: int32.optional().describe("Additive: recipients whose email was opened by a person or a machine."),
  unsubscribeRate: double.optional().describe(`Additive: ${ofDelivered.replace("A", "a")}`),
}
const alsoDelayed = {
  deliveryDelayed: int32
    .optional()
    .describe("Additive: recipients whose email was still waiting 20 minutes after its first attempt was due."),
}

const rates = {
  deliveryRate: double.describe("As a share of sent."),
  bounceRate: double.describe("As a share of sent."),
  openRate: double.describe(ofDelivered),
  clickRate: double.describe(ofDelivered),
  complaintRate: double.describe(ofDelivered),
  readEngagementRate: double.describe(ofDelivered),
}

export const ProjectMetricsSummary = z
  .strictObject({
    projectId: id("proj"),
    window: MetricsWindow,
    ...counts,
    ...rates,
    ...more,
    ...alsoDelayed,
    previous: z
      .strictObject({ from: timestamp, to: timestamp, ...counts, ...rates, ...more, ...alsoDelayed })
      .meta({ id: "PreviousMetricsResponse" })
      .optional()
      .describe("Additive: the window of the same length before this one, with `compare=previous`."),
  })
  .meta({ id: "ProjectMetricsSummaryResponse" })

const score = int32.describe(
  "0 to 100: a weighted share of delivered email (of sent where `deliveryReported` is false), opens 40, clicks 40 and reads 20.",
)

export const TimelineBucket = z
  .strictObject({
    bucket: timestamp.describe("Start of the bucket; days are those of `timeZone`."),
    ...counts,
    deliveryDelayed: int32,
    ...rates,
    ...more,
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
    buckets: z
      .array(TimelineBucket)
      .describe("All buckets of the window, oldest first, including those without email."),
    totals: z
      .strictObject({
        ...counts,
        ...rates,
        ...more,
        ...alsoDelayed,
        avgEngagementScore: int32.describe(
          "Mean over the buckets in which email was delivered, or sent where that is not reported.",
        ),
        peakBucket: timestamp.optional().describe("The bucket with the most sent; absent if nothing was sent."),
      })
      .meta({ id: "ProjectTimelineTotalsResponse" }),
  })
  .meta({ id: "ProjectDetailedMetricsTimelineResponse" })

const figures = { ...counts, ...rates, ...more, ...alsoDelayed }

export const MetricsBreakdown = z
  .strictObject({
    projectId: id("proj"),
    window: MetricsWindow,
    by: z.enum(breakdowns),
    data: z
      .array(
        z
          .strictObject({
            key: z
              .string()
              .describe(
                "The domain; `gmail`, `microsoft`, `yahoo`, `apple`, `gmx` or the recipient's domain; the topic's id; or the tag as `name:value`.",
              ),
            name: z.string().describe("Display name."),
            ...figures,
            reportsComplaints: z
              .boolean()
              .optional()
              .describe("Whether the mailbox provider reports complaints, if that is known."),
            previous: z
              .strictObject(figures)
              .meta({ id: "PreviousMetricsBreakdown" })
              .optional()
              .describe("With `compare=previous`."),
          })
          .meta({ id: "MetricsBreakdownRow" }),
      )
      .describe(`The ${breakdownRowsMax} rows with the most email sent, largest first.`),
    other: z
      .strictObject({
        keys: int32.describe("How many further keys were counted individually."),
        ...figures,
        previous: z.strictObject(figures).meta({ id: "PreviousOtherMetrics" }).optional(),
      })
      .meta({ id: "OtherMetricsResponse" })
      .optional()
      .describe("The sum of all others, absent if there are none."),
  })
  .meta({ id: "MetricsBreakdownResponse" })

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
    deliveryRate: double.describe("As a share of totalEmails."),
    bounceRate: double.describe("As a share of totalEmails."),
    unsubscribeRate: double.describe(ofDelivered),
    ...report,
    avgReadTimeSeconds: double.optional().describe("Absent if reading is not tracked."),
    optInCount: int64.describe("Contacts that opted in themselves, as of now."),
    optOutCount: int64.describe("Contacts that opted out themselves, as of now."),
    computedAt: timestamp,
  })
  .meta({ id: "TopicPerformanceResponse" })
