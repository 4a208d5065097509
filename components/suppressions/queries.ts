import { query } from "@/components/data/query"
import type { CallAnswer } from "@/components/data/call"

export const suppressionsRoute = "GET /v1/projects/{projectId}/suppressions"

export type SuppressionPage = CallAnswer<typeof suppressionsRoute>
export type Suppression = SuppressionPage["data"][number]

type ListQuery = { page?: number; reason?: string | null; search?: string }

/** Empty filters are omitted, so that server and browser use the same query key. */
export function suppressionsQuery(projectId: string, { page = 1, reason, search }: ListQuery = {}) {
  return query(suppressionsRoute, {
    params: { projectId },
    query: { page, size: 50, ...(reason ? { reason } : {}), ...(search ? { search } : {}) },
  })
}
