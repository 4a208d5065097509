import { z } from "zod"
import { buckets } from "@/lib/access/limits/data"
import { allow } from "@/lib/access/permissions"
import { emailMissing } from "@/lib/emails/schema"
import { countEvents, findEmailHead } from "@/lib/metrics/data"
import { endpoint } from "@/lib/platform/http/endpoint"
import { double, id, int32, present, timestamp } from "@/lib/platform/schema"
import { findReading } from "@/lib/tracking/data"
import { deviceOf } from "@/lib/tracking/hits/device-rules"
import { depthsOf, readingFields } from "@/lib/tracking/hits/rules"

const EmailPerformance = z
  .strictObject({
    emailId: id("email"),
    subject: z.string(),
    fromAddress: z.string().describe("As in the From field."),
    status: z.string(),
    delivered: z.boolean(),
    bounced: z.boolean(),
    complained: z.boolean(),
    opened: z.boolean().describe("By a person; opens by machines are excluded."),
    clicked: z.boolean().describe("By a person; clicks by machines are excluded."),
    totalClicks: int32.describe("Clicks by people, including repeated ones."),
    unsubscribed: z.boolean(),
    readEngaged: z.boolean(),
    readCategory: z.string().optional().describe("Absent if reading is not tracked."),
    readTimeSeconds: double.optional().describe("Absent if reading is not tracked."),
    topicId: id("top").optional(),
    sentAt: timestamp.optional(),
    lastEventAt: timestamp.optional(),
    computedAt: timestamp,
  })
  .meta({ id: "EmailPerformanceResponse" })

export const getEmailPerformance = endpoint({
  route: "GET /v1/metrics/emails/{id}",
  operationId: "getEmailPerformance",
  tag: "Metrics",
  summary: "One email performance",
  description:
    "What happened to one email, from its events. If it has several recipients, each flag says whether it is true of any of them. Simulator and test email is shown like any other, because nothing is summed.",
  access: allow("emails:send", "emails:read", "metrics:read"),
  bucket: buckets.metrics,
  path: { id: { prefix: "email", missing: emailMissing } },
  answers: [200, EmailPerformance],
  problems: [emailMissing],

  async run(scope, { path }, { clock }) {
    const [email, { counts, lastAt }, { readMs }] = await Promise.all([
      findEmailHead(scope, path.id),
      countEvents(scope, path.id),
      findReading(scope, path.id),
    ])
    if (!email) throw emailMissing()
    const happened = (type: string) => (counts.get(type) ?? 0) > 0
    return {
      emailId: path.id,
      subject: email.subject,
      fromAddress: email.fromHeader,
      status: email.status,
      delivered: happened("delivered"),
      bounced: happened("bounced"),
      complained: happened("complained"),
      opened: happened("opened"),
      clicked: happened("clicked"),
      totalClicks: counts.get("clicked") ?? 0,
      unsubscribed: happened("unsubscribed"),
      readEngaged: happened("read_engaged"),
      ...readingFields(readMs),
      topicId: present(email.topicId),
      sentAt: present(email.sentAt),
      lastEventAt: present(lastAt),
      computedAt: clock.now(),
    }
  },
})

const reached = (percent: number) => int32.describe(`Readings known to have come down to ${percent} % of the text.`)
const share = double.optional().describe("Share of the readings whose depth is known; absent if there are none.")

const EmailReadScrollAnalytics = z
  .strictObject({
    emailId: id("email"),
    subject: z.string(),
    readEngaged: z.boolean().describe("Whether a reading lasted 8 seconds or more."),
    readEngagedAt: timestamp.optional(),
    readTimeSeconds: double
      .optional()
      .describe("Duration of the longest reading, at most 60; absent if none was measured."),
    readCategory: z
      .string()
      .optional()
      .describe("`glanced` (less than 2 seconds), `skimmed` (less than 8) or `read`; absent if none was measured."),
    shortEmail: z.boolean().describe("The text fits on one screen, so no depth is measured."),
    maxDepthPct: int32.optional().describe("The greatest measured depth; absent if none was measured."),
    depth25Count: reached(25),
    depth50Count: reached(50),
    depth75Count: reached(75),
    depth100Count: reached(100),
    depth25Rate: share,
    depth50Rate: share,
    depth75Rate: share,
    depth100Rate: share,
    mailClient: z.string().optional().describe("Client of the latest open or click by a person, if it is known."),
    deviceType: z.string().optional().describe("`desktop`, `mobile` or `tablet`."),
    os: z.string().optional(),
    computedAt: timestamp,
  })
  .meta({ id: "EmailReadScrollAnalyticsResponse" })

export const getEmailEngagement = endpoint({
  route: "GET /v1/metrics/emails/{id}/engagement",
  operationId: "getEmailEngagement",
  tag: "Metrics",
  summary: "Email read/scroll engagement",
  description: `How long and how far one email was read, if \`readEngagement\` was on when it was sent; every optional field is
absent if nothing was measured.

An email cannot run scripts, so both are measured by images. One is sent so slowly that a mail program closes it together with
the email: that is the reading time, up to 60 seconds. Marks at 25, 50, 75 and 100 % of the text tell how far somebody scrolled,
where the project's \`scrollDepth\` is on and the mail program loads images only when they come into view; marks that are loaded
within 1.5 seconds of the opening are ignored. Programs that block images, or fetch them through a proxy as Gmail, Yahoo Mail and
Apple's privacy protection do, cannot be measured.`,
  access: allow("emails:send", "emails:read", "metrics:read"),
  bucket: buckets.metrics,
  path: { id: { prefix: "email", missing: emailMissing } },
  answers: [200, EmailReadScrollAnalytics],
  problems: [emailMissing],

  async run(scope, { path }, { clock }) {
    const [email, reading] = await Promise.all([findEmailHead(scope, path.id), findReading(scope, path.id)])
    if (!email) throw emailMissing()
    const { readMs, engagedAt } = reading
    const { measured, counts, max } = depthsOf(reading.readings)
    const [depth25Count = 0, depth50Count = 0, depth75Count = 0, depth100Count = 0] = counts
    return {
      emailId: path.id,
      subject: email.subject,
      readEngaged: engagedAt !== null,
      readEngagedAt: present(engagedAt),
      ...readingFields(readMs),
      shortEmail: reading.short,
      maxDepthPct: present(max),
      ...{ depth25Count, depth50Count, depth75Count, depth100Count },
      ...(measured === 0
        ? {}
        : {
            depth25Rate: depth25Count / measured,
            depth50Rate: depth50Count / measured,
            depth75Rate: depth75Count / measured,
            depth100Rate: depth100Count / measured,
          }),
      ...deviceOf(reading.userAgent),
      computedAt: clock.now(),
    }
  },
})

export const emailMetricOperations = [getEmailPerformance, getEmailEngagement] as const
