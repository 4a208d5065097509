import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { dayOf, firstDay, reportedDomain, reportedSince } from "@/lib/domains/dmarc/report-store"
import { tightening } from "@/lib/domains/dmarc/rules"
import { DmarcSummary } from "@/lib/domains/dmarc/schema"
import { dmarcStandings, sourcesOf } from "@/lib/domains/dmarc/summary-sql"
import { domainMissing } from "@/lib/domains/problems"
import { endpoint } from "@/lib/platform/http/endpoint"

export const getDmarcSummary = endpoint({
  route: "GET /v1/projects/{projectId}/domains/{domainId}/dmarc/summary",
  operationId: "getDmarcSummary",
  tag: "Sending domains",
  summary: "Get DMARC summary",
  description:
    "What receivers reported about the domain's email in the last 30 days: how many messages passed DMARC, which sources they came from, what receivers did with them, and whether a stricter policy is safe. A stricter policy is safe once reports cover 30 days and at least 98 % of the messages passed.",
  access: allow("domains:read"),
  bucket: buckets.domains,
  path: { domainId: { prefix: "dom", missing: domainMissing } },
  answers: [200, DmarcSummary],
  problems: [projectMissing, domainMissing],
  additive: true,

  async run(scope, { path: { domainId } }) {
    const from = await firstDay()
    const [domain, [standing], sources, unknown, { days: timeline, dispositions }] = await Promise.all([
      reportedDomain(scope, domainId),
      dmarcStandings(scope, domainId),
      sourcesOf(scope, domainId),
      sourcesOf(scope, domainId, "unknown"),
      reportedSince(scope, domainId, from),
    ])
    if (!domain) throw domainMissing()
    const judgedAs = (wanted: string) => dispositions.get(wanted) ?? 0
    const { days = 0, observed = 0, aligned = 0, policy } = standing ?? {}
    return {
      domain: domain.domain,
      from: dayOf(from),
      days,
      reports: timeline.reduce((sum, { reports }) => sum + reports, 0),
      messages: observed,
      aligned,
      alignedRate: observed === 0 ? 0 : aligned / observed,
      dispositions: { none: judgedAs("none"), quarantine: judgedAs("quarantine"), reject: judgedAs("reject") },
      sources,
      unknownSources: standing?.unknownSources ?? 0,
      unknownMessages: standing?.unknownMessages ?? 0,
      timeline: timeline.map(({ day, messages, aligned: passed }) => ({ day, messages, aligned: passed })),
      policy,
      tightening:
        policy && tightening(policy, { days, observed, aligned, unknownNames: unknown.map(({ name }) => name) }),
    }
  },
})
