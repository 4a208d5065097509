import { query } from "@/components/data/query"
import type { CallAnswer } from "@/components/data/call"
import { midnightOf } from "@/components/data/day-filters"
import type { AuditFilters, RequestFilters } from "@/components/logs/filters"

const pageSize = 50

export type RequestPage = CallAnswer<"GET /v1/projects/{projectId}/requests">
export type AuditPage = CallAnswer<"GET /v1/projects/{projectId}/audit-entries">

/** Both ends of the window of the API belong to it. */
function windowOf({ since, until }: Pick<RequestFilters, "since" | "until">, timeZone: string) {
  const end = until && midnightOf(until, timeZone, 1)
  return {
    ...(since && { from: midnightOf(since, timeZone) }),
    ...(end && { to: new Date(Date.parse(end) - 1).toISOString() }),
  }
}

export const requestQuery = (projectId: string, requestId: string) =>
  query("GET /v1/projects/{projectId}/requests/{requestId}", { params: { projectId, requestId } })

export function requestsQuery(
  projectId: string,
  { key, method, route, status, made, since, until, after }: RequestFilters,
  timeZone: string,
) {
  return query("GET /v1/projects/{projectId}/requests", {
    params: { projectId },
    query: {
      size: pageSize,
      ...(key && { key }),
      ...(method && { method }),
      ...(route && { route }),
      ...(status && { status }),
      ...(made && { made }),
      ...windowOf({ since, until }, timeZone),
      ...(after && { after }),
    },
  })
}

export function auditQuery(
  projectId: string,
  { action, target, project, since, until, after }: AuditFilters,
  timeZone: string,
) {
  return query("GET /v1/projects/{projectId}/audit-entries", {
    params: { projectId },
    query: {
      size: pageSize,
      ...(/^[a-z_]{1,40}(?:\.[a-z_]{1,40})?$/.test(action) && { action }),
      ...(target && { target }),
      ...(project && { project }),
      ...windowOf({ since, until }, timeZone),
      ...(after && { after }),
    },
  })
}
