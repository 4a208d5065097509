import { query } from "@/components/api/query"
import { useCall } from "@/components/api/use-call"

const PROJECT = "GET /v1/projects/{projectId}"
const SETTINGS = "GET /v1/projects/{projectId}/settings"
const SESSION = "GET /v1/session"

export const projectDetail = (projectId: string) => query(PROJECT, { params: { projectId } })

export const projectSettings = (projectId: string) => query(SETTINGS, { params: { projectId } })

/** Asked again while a page is open: a region that was down comes back by itself. */
export const projectRegion = (projectId: string) => ({
  ...query("GET /v1/projects/{projectId}/region", { params: { projectId } }),
  refetchInterval: 15_000,
})

export const currentSession = () => query(SESSION, {})

export const useUpdateProject = () => useCall("PATCH /v1/projects/{projectId}", [PROJECT, SETTINGS, "GET /v1/projects"])

export const useUpdateSession = () => useCall("PATCH /v1/session", [SESSION, "GET /v1/projects/{projectId}/members"])

export const useChangePassword = () => useCall("POST /v1/session/password", [SESSION])

export const useEndSessions = () => useCall("DELETE /v1/sessions")
