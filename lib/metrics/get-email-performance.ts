import { z } from "zod"
import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { emailMissing } from "@/lib/emails/problems"
import { findReading } from "@/lib/tracking/engagement-store"
import { readingFields } from "@/lib/tracking/hits/reading-rules"
import { countEvents, findEmailHead } from "@/lib/metrics/email-store"
import { endpoint } from "@/lib/platform/http/endpoint"
import { double, id, int32, present, timestamp } from "@/lib/platform/schema"

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
