import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { listReports, reportedDomain } from "@/lib/domains/dmarc/report-store"
import { DmarcReportPage } from "@/lib/domains/dmarc/schema"
import { domainMissing } from "@/lib/domains/problems"
import { cursorPage } from "@/lib/platform/http/cursor-page"
import { cursorMissing } from "@/lib/platform/http/cursors"
import { endpoint } from "@/lib/platform/http/endpoint"
import { cursorQuery } from "@/lib/platform/http/paging"

export const listDmarcReports = endpoint({
  route: "GET /v1/projects/{projectId}/domains/{domainId}/dmarc/reports",
  operationId: "listDmarcReports",
  tag: "Sending domains",
  summary: "List DMARC reports",
  description: "Aggregate reports about the domain that came by mail or were uploaded, the last one first.",
  access: allow("domains:read"),
  bucket: buckets.domains,
  path: { domainId: { prefix: "dom", missing: domainMissing } },
  query: cursorQuery(),
  answers: [200, DmarcReportPage],
  problems: [projectMissing, domainMissing, cursorMissing],
  additive: true,

  async run(scope, { path: { domainId }, query }) {
    if (!(await reportedDomain(scope, domainId))) throw domainMissing()
    const collection = `${scope.project.id}|dmarc|${domainId}`
    return cursorPage(
      collection,
      query,
      (report) => report.id,
      (position, size) => listReports(scope, domainId, position, size),
    )
  },
})
