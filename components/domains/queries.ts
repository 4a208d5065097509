import { queryOptions } from "@tanstack/react-query"
import type { CallAnswer } from "@/components/data/call"
import { query } from "@/components/data/query"

export const domainsPerPage = 20

export function domainsQuery(projectId: string, page: number) {
  return query("GET /v1/projects/{projectId}/domains", { params: { projectId }, query: { page, size: domainsPerPage } })
}

export function domainQuery(projectId: string, domainId: string) {
  return query("GET /v1/projects/{projectId}/domains/{domainId}", { params: { projectId, domainId } })
}

export function zoneFileAddress(projectId: string, domainId: string): string {
  return `/v1/projects/${projectId}/domains/${domainId}/zone-file`
}

export const checksPerPage = 50

export function checksQuery(projectId: string, domainId: string, page: number) {
  return query("GET /v1/projects/{projectId}/domains/{domainId}/checks", {
    params: { projectId, domainId },
    query: { page, size: checksPerPage },
  })
}

/** The records of the installation itself, and whether the DNS has them. */
export function installationRecordsQuery(projectId: string, domainId: string) {
  return query("GET /v1/projects/{projectId}/domains/{domainId}/installation-records", {
    params: { projectId, domainId },
  })
}

/** Asked anew on each visit of the page, and during a visit by a press alone. */
export function diagnosisQuery(projectId: string, domainId: string) {
  return queryOptions({
    ...query("GET /v1/projects/{projectId}/domains/{domainId}/diagnosis", { params: { projectId, domainId } }),
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
}

/** A name that the built-in sandbox answers for. */
export const sandboxExample = "acme.test"

const params = (projectId: string, domainId: string) => ({ params: { projectId, domainId } })

export const dmarcSummaryRoute = "GET /v1/projects/{projectId}/domains/{domainId}/dmarc/summary"

export type DmarcSummary = CallAnswer<typeof dmarcSummaryRoute>

export const dmarcSummary = (projectId: string, domainId: string) =>
  query(dmarcSummaryRoute, params(projectId, domainId))

export const tlsSummaryRoute = "GET /v1/projects/{projectId}/domains/{domainId}/tls-reports/summary"

export type TlsSummary = CallAnswer<typeof tlsSummaryRoute>

export const tlsSummary = (projectId: string, domainId: string) => query(tlsSummaryRoute, params(projectId, domainId))

/** While none has come, whoever waits for the first report sees it come. */
export const firstReportPollMs = 10_000

const reportMailRoute = "GET /v1/projects/{projectId}/domains/{domainId}/report-mail"

export type ReportMail = CallAnswer<typeof reportMailRoute>

export function reportMailQuery(projectId: string, domainId: string) {
  return queryOptions({
    ...query(reportMailRoute, params(projectId, domainId)),
    refetchInterval: ({ state }) => (state.data?.dmarc.last ? false : firstReportPollMs),
  })
}

export const bimiRoute = "GET /v1/projects/{projectId}/domains/{domainId}/bimi"

export const bimiQuery = (projectId: string, domainId: string) => query(bimiRoute, params(projectId, domainId))

export const logoAddress = (projectId: string, domainId: string) =>
  `/v1/projects/${projectId}/domains/${domainId}/bimi/logo`

/** As the API answers it. */
export type Domain = CallAnswer<"GET /v1/projects/{projectId}/domains/{domainId}">

export type DomainPage = CallAnswer<"GET /v1/projects/{projectId}/domains">

export type DomainItem = DomainPage["data"][number]

export type DnsRecord = Domain["verificationRecords"]["mailFromMx"]

export type DomainCheck = NonNullable<Domain["checks"]>[number]

export type Diagnosis = CallAnswer<"GET /v1/projects/{projectId}/domains/{domainId}/diagnosis">

/** The value that a rotation took out of use, and how long it has to stay in the DNS. */
export type Retired = NonNullable<Domain["verificationRecords"]["dkim"][number]["retired"]>
