import { query } from "@/components/api/query"
import { useCall } from "@/components/api/use-call"

const MEMBERS = "GET /v1/projects/{projectId}/members"
const INVITES = "GET /v1/projects/{projectId}/invites"

export const memberList = (projectId: string) => query(MEMBERS, { params: { projectId } })

export const inviteList = (projectId: string) => query(INVITES, { params: { projectId } })

export const useChangeRole = () =>
  useCall("PATCH /v1/projects/{projectId}/members/{userId}", [MEMBERS, "GET /v1/session"])

export const useRemoveMember = () => useCall("DELETE /v1/projects/{projectId}/members/{userId}", [MEMBERS])

export const useInvite = () => useCall("POST /v1/projects/{projectId}/invites", [INVITES])

export const useRevokeInvite = () => useCall("DELETE /v1/projects/{projectId}/invites/{inviteId}", [INVITES])
