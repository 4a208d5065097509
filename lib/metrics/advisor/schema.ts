import { z } from "zod"
import { ratings } from "@/lib/metrics/advisor/rules"
import { double, id, int32, int64, timestamp } from "@/lib/platform/schema"

const AdvisorData = z
  .strictObject({
    accepted: int32.describe("Sent in the last 30 days.").optional(),
    accepted24h: int32.optional(),
    adjustedOpenRate: double
      .describe(
        "Opened by people, as a share of delivered (of sent where delivery is not reported) without those that only machines opened.",
      )
      .optional(),
    avgDailyAccepted7d: int32.describe("Sent a day in the 7 days before the last 24 hours.").optional(),
    bounceRate: double.optional(),
    bounced: int32.optional(),
    complaintRate: double.optional(),
    daysSinceLastSend: int32.optional(),
    delivered: int32.optional().describe("Of sent where delivery is not reported."),
    dmarcAccountedRate: double.describe("Share of reported messages whose source is known.").optional(),
    dmarcAlignedMessages: int64.optional(),
    dmarcAlignmentFailureRate7d: double.optional(),
    dmarcCurrentPolicy: z.string().optional(),
    dmarcDomain: z.string().optional(),
    dmarcObservedMessages: int64.optional(),
    dmarcRecommendedPolicy: z.string().optional(),
    dmarcReportingDays: int32.optional(),
    dmarcUnknownMessages: int64.optional(),
    dmarcUnknownSources: int32.optional(),
    humanOpenRate: double
      .describe("Opened by people, as a share of delivered, or of sent where delivery is not reported.")
      .optional(),
    proxyOpens: int32.describe("Recipients whose email only machines opened.").optional(),
    proxyRate: double.describe("proxyOpens divided by totalOpens.").optional(),
    reportedOpenRate: double
      .describe("Opened by anyone, as a share of delivered, or of sent where delivery is not reported.")
      .optional(),
    totalOpens: int32.describe("Recipients whose email a person or a machine opened.").optional(),
    unsubRate: double.optional(),
    unsubscribed: int32.optional(),
  })
  .meta({ id: "AdvisorRecommendationDataResponse" })

const AdvisorRecommendation = z
  .strictObject({
    code: z.string().describe("Stable; the texts may change."),
    severity: z.string().describe("`info`, `warning` or `critical`."),
    title: z.string(),
    message: z.string().describe("What was found."),
    data: AdvisorData.optional(),
    fix: z.string().optional().describe("Additive: what to do."),
    deduction: int32.optional().describe("Additive: points deducted from the score."),
    evidenceUrl: z.string().optional().describe("Additive: path of the dashboard page that shows the evidence."),
    fixUrl: z.string().optional().describe("Additive: path of the dashboard page where you can fix it."),
  })
  .meta({ id: "AdvisorRecommendationResponse" })

export const AdvisorReport = z
  .strictObject({
    projectId: id("proj"),
    score: int32.describe("100 minus the deductions."),
    recommendations: z
      .array(AdvisorRecommendation)
      .describe("Largest deduction first; empty if there is nothing to fix."),
    generatedAt: timestamp,
    rating: z
      .enum(ratings)
      .optional()
      .describe("Additive: the score as a word: Healthy from 90, Good from 75, Needs attention from 50."),
    emails: int32.optional().describe("Additive: emails sent in the last 30 days, on which the score is based."),
    enoughEmails: z
      .boolean()
      .optional()
      .describe("Additive: false if there are too few emails for a meaningful score."),
  })
  .meta({ id: "AdvisorReportResponse" })
