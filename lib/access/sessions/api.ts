import { revokeSessions } from "@/lib/access/credentials/data"
import { recordAccountChange } from "@/lib/access/people/api"
import { allowPerson } from "@/lib/access/permissions"
import { sessionMissing, sessionRequired } from "@/lib/access/problems"
import { endOwnSession, listOpenSessions } from "@/lib/access/sessions/data"
import { OpenSessionList } from "@/lib/access/sessions/schema"
import { organizationEndpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import { trueOrFalse } from "@/lib/platform/schema"

export const listSessions = organizationEndpoint({
  route: "GET /v1/sessions",
  operationId: "listSessions",
  tag: "Session",
  summary: "List your sessions",
  description: "The browsers in which the user is signed in: this one first, then the last used, at most 100.",
  access: allowPerson(),
  bucket: null,
  answers: [200, OpenSessionList],
  problems: [sessionRequired],
  additive: true,

  async run({ principal }) {
    if (principal.kind === "key") throw sessionRequired()
    return { data: await listOpenSessions(principal) }
  },
})

export const endSession = organizationEndpoint({
  route: "DELETE /v1/sessions/{sessionId}",
  operationId: "endSession",
  tag: "Session",
  summary: "Sign out one session",
  description: "Ends one of the user's sessions within a second; this one too, if it is named.",
  access: allowPerson(),
  bucket: null,
  path: { sessionId: { prefix: "ses", missing: sessionMissing } },
  answers: [204],
  problems: [sessionRequired, sessionMissing],
  additive: true,

  async run({ principal, request }, { path }) {
    if (principal.kind === "key") throw sessionRequired()
    const ended = await endOwnSession(principal, path.sessionId)
    if (!ended) throw sessionMissing()
    await recordAccountChange(principal, request, { action: "user.session_ended", changes: ended })
  },
})

export const endSessions = organizationEndpoint({
  route: "DELETE /v1/sessions",
  operationId: "endSessions",
  tag: "Session",
  summary: "Sign out everywhere",
  description: "Ends all sessions of the user within a second, including this one unless `keepCurrent` is `true`.",
  access: allowPerson(),
  bucket: null,
  actsOnAll: true,
  query: { keepCurrent: trueOrFalse().optional().describe("Leaves the session that asks open.") },
  answers: [204],
  problems: [requestInvalid, sessionRequired],
  additive: true,

  async run({ principal, request }, { query }) {
    if (principal.kind === "key") throw sessionRequired()
    const { userId, sessionId } = principal
    await revokeSessions(query.keepCurrent ? { userId, id: { not: sessionId } } : { userId })
    const action = query.keepCurrent ? "user.signed_out_elsewhere" : "user.signed_out_everywhere"
    await recordAccountChange(principal, request, { action })
  },
})

export const openSessionOperations = [listSessions, endSession, endSessions] as const
