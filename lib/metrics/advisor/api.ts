import { z } from "zod"
import { buckets } from "@/lib/access/limits/data"
import { allow } from "@/lib/access/permissions"
import { advisorFactsOf } from "@/lib/metrics/advisor/data"
import { adviceOf, advisorScoreOf, emailsForScore, ratingOf, ratings } from "@/lib/metrics/advisor/rules"
import { projectQuery } from "@/lib/metrics/schema"
import { endpoint } from "@/lib/platform/http/endpoint"
import { encodeId } from "@/lib/platform/ids"
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

const AdvisorReport = z
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

export const getMetricsAdvisor = endpoint({
  route: "GET /v1/metrics/advisor",
  operationId: "getMetricsAdvisor",
  tag: "Metrics",
  summary: "Deliverability advisor",
  description: `A score and what to improve, based on the counters of the last 30 days, DMARC reports and the state of the domains. Rates
are evaluated from 200 sent (bounces), 1,000 delivered (sent, where delivery is not reported) and 3 complaints, or 500 a day (volume) upward; below that there is no verdict. Each
recommendation says what it deducts and links to its evidence and to the place where it is fixed.`,
  access: allow("emails:send", "emails:read", "metrics:read"),
  bucket: buckets.metrics,
  query: { projectId: projectQuery },
  answers: [200, AdvisorReport],
  problems: [],

  async run(scope, _, { clock }) {
    const now = clock.now()
    const facts = await advisorFactsOf(scope, now)
    const findings = adviceOf(facts)
    const score = advisorScoreOf(findings)
    const root = `/projects/${encodeId("proj", scope.project.id)}`
    return {
      projectId: scope.project.id,
      score,
      rating: ratingOf(score),
      emails: facts.month.sent,
      enoughEmails: facts.month.sent >= emailsForScore,
      recommendations: findings.map(({ evidence, fixAt, ...finding }) => ({
        ...finding,
        evidenceUrl: root + evidence,
        fixUrl: root + fixAt,
      })),
      generatedAt: now,
    }
  },
})
