import { query } from "@/components/data/query"
import type { CallAnswer } from "@/components/data/call"
import { useCall } from "@/components/data/use-call"

const listRoute = "GET /v1/projects/{projectId}/contact-properties"

export type Property = CallAnswer<typeof listRoute>["data"][number]

export const propertyListQuery = (projectId: string, page = 1) =>
  query(listRoute, { params: { projectId }, query: { page, size: 20 } })

export const useCreateProperty = () => useCall("POST /v1/projects/{projectId}/contact-properties", [listRoute])

export const useSetFallback = () =>
  useCall("PATCH /v1/projects/{projectId}/contact-properties/{propertyId}", [listRoute])

export const useDeleteProperty = () =>
  useCall("DELETE /v1/projects/{projectId}/contact-properties/{propertyId}", [listRoute])
