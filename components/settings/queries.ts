import { query } from "@/components/data/query"
import { useCall } from "@/components/data/use-call"

const project = "GET /v1/projects/{projectId}"
const settings = "GET /v1/projects/{projectId}/settings"
const session = "GET /v1/session"

export const projectSettings = (projectId: string) => query(settings, { params: { projectId } })

/** Polled while a page is open, because a region recovers without any action. */
export const projectRegion = (projectId: string) => ({
  ...query("GET /v1/projects/{projectId}/region", { params: { projectId } }),
  refetchInterval: 15_000,
})

export const noticeTargetRoute = "GET /v1/projects/{projectId}/notice-target"

export const noticeTarget = (projectId: string) => query(noticeTargetRoute, { params: { projectId } })

export const currentSession = () => query(session, {})

export const useUpdateProject = () => useCall("PATCH /v1/projects/{projectId}", [project, settings, "GET /v1/projects"])

export const useUpdateSession = () => useCall("PATCH /v1/session", [session, "GET /v1/projects/{projectId}/members"])

export const useChangePassword = () => useCall("POST /v1/session/password", [session])

const sessions = "GET /v1/sessions"

export const openSessions = () => query(sessions, {})

export const useEndSession = () => useCall("DELETE /v1/sessions/{sessionId}", [sessions])

export const useEndSessions = () => useCall("DELETE /v1/sessions", [sessions])

const factor = "GET /v1/session/second-factor"

export const secondFactor = () => query(factor, {})

export const useBeginTotp = () => useCall("POST /v1/session/totp")

export const useConfirmTotp = () => useCall("POST /v1/session/totp/confirm", [factor, sessions])

export const useDisableTotp = () => useCall("DELETE /v1/session/totp", [factor])

export const useCreateRecoveryCodes = () => useCall("POST /v1/session/recovery-codes", [factor])

const passkeyList = "GET /v1/session/passkeys"

export const passkeys = () => query(passkeyList, {})

export const useBeginPasskey = () => useCall("POST /v1/session/passkeys/options")

export const useCreatePasskey = () => useCall("POST /v1/session/passkeys", [passkeyList, factor, sessions])

export const useUpdatePasskey = () => useCall("PATCH /v1/session/passkeys/{passkeyId}", [passkeyList])

export const useDeletePasskey = () => useCall("DELETE /v1/session/passkeys/{passkeyId}", [passkeyList, factor])

const members = "GET /v1/projects/{projectId}/members"
const policy = "GET /v1/projects/{projectId}/members/policy"
const invites = "GET /v1/projects/{projectId}/invites"

export const memberList = (projectId: string) => query(members, { params: { projectId } })

export const memberPolicy = (projectId: string) => query(policy, { params: { projectId } })

export const useUpdateMemberPolicy = () => useCall("PATCH /v1/projects/{projectId}/members/policy", [policy])

export const useRenameOrganization = () =>
  useCall("PATCH /v1/projects/{projectId}/organization", [session, "GET /v1/projects"])

export const inviteList = (projectId: string) => query(invites, { params: { projectId } })

export const useChangeRole = () =>
  useCall("PATCH /v1/projects/{projectId}/members/{userId}", [members, "GET /v1/session"])

export const useRemoveMember = () => useCall("DELETE /v1/projects/{projectId}/members/{userId}", [members])

export const useInvite = () => useCall("POST /v1/projects/{projectId}/invites", [invites])

export const useRevokeInvite = () => useCall("DELETE /v1/projects/{projectId}/invites/{inviteId}", [invites])
