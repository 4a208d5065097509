import { useCall } from "@/components/data/use-call"

const listRoute = "GET /v1/projects/{projectId}/templates"
const one = "GET /v1/projects/{projectId}/templates/{templateId}"
const versions = "GET /v1/projects/{projectId}/templates/{templateId}/versions"

// Apart from what is read: Compose reads templates and changes none.

export const useCreateTemplate = () => useCall("POST /v1/projects/{projectId}/templates", [listRoute])

export const useUpdateTemplate = () =>
  useCall("PATCH /v1/projects/{projectId}/templates/{templateId}", [listRoute, one])

export const usePublishTemplate = () =>
  useCall("POST /v1/projects/{projectId}/templates/{templateId}/publish", [listRoute, one, versions])

export const useDeleteTemplate = () => useCall("DELETE /v1/projects/{projectId}/templates/{templateId}", [listRoute])
