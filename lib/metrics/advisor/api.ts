import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { advisorFactsOf } from "@/lib/metrics/advisor/data"
import { adviceOf, advisorScoreOf, emailsForScore, ratingOf } from "@/lib/metrics/advisor/rules"
import { AdvisorReport } from "@/lib/metrics/advisor/schema"
import { projectQuery } from "@/lib/metrics/schema"
import { endpoint } from "@/lib/platform/http/endpoint"
import { encodeId } from "@/lib/platform/ids"

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
