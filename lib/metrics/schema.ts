import { z } from "zod"
import { double, id, int32, timestamp } from "@/lib/platform/schema"
import { windowLabels } from "@/lib/metrics/rules"

export const windowQuery = z.enum(windowLabels).default("7d").describe("Ends now and begins with a whole UTC hour.")

export const MetricsWindow = z
  .strictObject({ label: z.enum(windowLabels), from: timestamp, to: timestamp })
  .meta({ id: "MetricsWindowResponse" })

export const ProjectMetricsSummary = z
  .strictObject({
    projectId: id("proj"),
    window: MetricsWindow,
    sent: int32.describe("Hand-offs that ended in an answer, a recipient each."),
    delivered: int32,
    bounced: int32.describe("Hard bounces."),
    complained: int32,
    opened: int32.describe("Recipients that opened; machines are left out."),
    clicked: int32.describe("Recipients that clicked; machines are left out."),
    unsubscribed: int32,
    failed: int32,
    readEngaged: int32,
    deliveryRate: double.describe("Of sent."),
    bounceRate: double.describe("Of sent."),
    openRate: double.describe("Of delivered."),
    clickRate: double.describe("Of delivered."),
    complaintRate: double.describe("Of delivered."),
    readEngagementRate: double.describe("Of delivered."),
  })
  .meta({ id: "ProjectMetricsSummaryResponse" })
