import { query } from "@/components/data/query"
import { useCall } from "@/components/data/use-call"

const members = "GET /v1/projects/{projectId}/members"
const invites = "GET /v1/projects/{projectId}/invites"

export const memberList = (projectId: string) => query(members, { params: { projectId } })

export const inviteList = (projectId: string) => query(invites, { params: { projectId } })

export const useChangeRole = () =>
  useCall("PATCH /v1/projects/{projectId}/members/{userId}", [members, "GET /v1/session"])

export const useRemoveMember = () => useCall("DELETE /v1/projects/{projectId}/members/{userId}", [members])

export const useInvite = () => useCall("POST /v1/projects/{projectId}/invites", [invites])

export const useRevokeInvite = () => useCall("DELETE /v1/projects/{projectId}/invites/{inviteId}", [invites])
