import { query } from "@/components/data/query"
import type { CallAnswer } from "@/components/data/call"
import type { AuditFilters, RequestFilters } from "@/components/logs/filters"

const pageSize = 50

export type RequestPage = CallAnswer<"GET /v1/projects/{projectId}/requests">
export type AuditPage = CallAnswer<"GET /v1/projects/{projectId}/audit-entries">

export function requestsQuery(projectId: string, { key, method, route, status, after }: RequestFilters) {
  return query("GET /v1/projects/{projectId}/requests", {
    params: { projectId },
    query: {
      size: pageSize,
      ...(key && { key }),
      ...(method && { method }),
      ...(route && { route }),
      ...(status && { status }),
      ...(after && { after }),
    },
  })
}

export function auditQuery(projectId: string, { action, target, project, after }: AuditFilters) {
  return query("GET /v1/projects/{projectId}/audit-entries", {
    params: { projectId },
    query: {
      size: pageSize,
      ...(/^[a-z_]{1,40}(?:\.[a-z_]{1,40})?$/.test(action) && { action }),
      ...(target && { target }),
      ...(project && { project }),
      ...(after && { after }),
    },
  })
}
