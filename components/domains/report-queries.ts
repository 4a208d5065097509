import { query } from "@/components/data/query"
import type { CallAnswer } from "@/components/data/route"

const params = (projectId: string, domainId: string) => ({ params: { projectId, domainId } })

export const dmarcSummaryRoute = "GET /v1/projects/{projectId}/domains/{domainId}/dmarc/summary"

export type DmarcSummary = CallAnswer<typeof dmarcSummaryRoute>

export const dmarcSummary = (projectId: string, domainId: string) =>
  query(dmarcSummaryRoute, params(projectId, domainId))

export const bimiRoute = "GET /v1/projects/{projectId}/domains/{domainId}/bimi"

export const bimiQuery = (projectId: string, domainId: string) => query(bimiRoute, params(projectId, domainId))

export const logoAddress = (projectId: string, domainId: string) =>
  `/v1/projects/${projectId}/domains/${domainId}/bimi/logo`
