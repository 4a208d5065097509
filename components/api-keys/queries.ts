import { query } from "@/components/data/query"
import type { CallAnswer } from "@/components/data/call"
import { useCall } from "@/components/data/use-call"

const listRoute = "GET /v1/projects/{projectId}/api-keys"
const one = "GET /v1/projects/{projectId}/api-keys/{keyId}"

export const keyList = (projectId: string) => query(listRoute, { params: { projectId } })

export const keyDetail = (projectId: string, keyId: string) => query(one, { params: { projectId, keyId } })

export type UsageWindow = { after?: string | undefined; before?: string | undefined }

/** Requests of a key, newest first; `before` reads on from a record. */
export const keyUsage = (projectId: string, keyId: string, { after, before }: UsageWindow) =>
  query("GET /v1/projects/{projectId}/api-keys/{keyId}/usage", {
    params: { projectId, keyId },
    query: { limit: 25, ...(after && { after }), ...(before && { before }) },
  })

const summaryRoute = "GET /v1/projects/{projectId}/api-keys/{keyId}/usage/summary"

export type UsageSummary = CallAnswer<typeof summaryRoute>
export type KeyRotation = NonNullable<UsageSummary["rotation"]>

/** Requests of a key by day, and its permissions by their last use. */
export const keyUsageSummary = (projectId: string, keyId: string) =>
  query(summaryRoute, { params: { projectId, keyId } })

export const usageExportAddress = (projectId: string, keyId: string, format: "csv" | "json") =>
  `/v1/projects/${projectId}/api-keys/${keyId}/usage/export?format=${format}`

/** For the ready command: an address to send from. */
export const senderDomains = (projectId: string) =>
  query("GET /v1/projects/{projectId}/domains", { params: { projectId } })

export const useCreateKey = () => useCall("POST /v1/projects/{projectId}/api-keys", [listRoute])

export const useRotateKey = () =>
  useCall("POST /v1/projects/{projectId}/api-keys/{keyId}/rotate", [listRoute, one, summaryRoute])

export const useRevokeKey = () =>
  useCall("DELETE /v1/projects/{projectId}/api-keys/{keyId}", [listRoute, one, summaryRoute])

export const useChangeKey = () =>
  useCall("PATCH /v1/projects/{projectId}/api-keys/{keyId}", [listRoute, one, summaryRoute])
