import { query } from "@/components/data/query"
import { useCall } from "@/components/data/use-call"

const project = "GET /v1/projects/{projectId}"
const settings = "GET /v1/projects/{projectId}/settings"
const session = "GET /v1/session"

export const projectDetail = (projectId: string) => query(project, { params: { projectId } })

export const projectSettings = (projectId: string) => query(settings, { params: { projectId } })

/** Polled while a page is open, because a region recovers without any action. */
export const projectRegion = (projectId: string) => ({
  ...query("GET /v1/projects/{projectId}/region", { params: { projectId } }),
  refetchInterval: 15_000,
})

export const currentSession = () => query(session, {})

export const useUpdateProject = () => useCall("PATCH /v1/projects/{projectId}", [project, settings, "GET /v1/projects"])

export const useUpdateSession = () => useCall("PATCH /v1/session", [session, "GET /v1/projects/{projectId}/members"])

export const useChangePassword = () => useCall("POST /v1/session/password", [session])

export const useEndSessions = () => useCall("DELETE /v1/sessions")

const members = "GET /v1/projects/{projectId}/members"
const invites = "GET /v1/projects/{projectId}/invites"

export const memberList = (projectId: string) => query(members, { params: { projectId } })

export const inviteList = (projectId: string) => query(invites, { params: { projectId } })

export const useChangeRole = () =>
  useCall("PATCH /v1/projects/{projectId}/members/{userId}", [members, "GET /v1/session"])

export const useRemoveMember = () => useCall("DELETE /v1/projects/{projectId}/members/{userId}", [members])

export const useInvite = () => useCall("POST /v1/projects/{projectId}/invites", [invites])

export const useRevokeInvite = () => useCall("DELETE /v1/projects/{projectId}/invites/{inviteId}", [invites])
