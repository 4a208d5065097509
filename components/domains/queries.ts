import { queryOptions } from "@tanstack/react-query"
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
