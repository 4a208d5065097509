import { allowPerson } from "@/lib/access/permissions"
import { sessionRequired } from "@/lib/access/problems"
import { revokeSessions } from "@/lib/access/credentials/session-store"
import { organizationEndpoint } from "@/lib/platform/http/endpoint"

export const endSessions = organizationEndpoint({
  route: "DELETE /v1/sessions",
  operationId: "endSessions",
  tag: "Session",
  summary: "Sign out everywhere",
  description: "Ends all sessions of the user within a second, including this one.",
  access: allowPerson(),
  bucket: null,
  actsOnAll: true,
  answers: [204],
  problems: [sessionRequired],
  additive: true,

  async run({ principal }) {
    if (principal.kind === "key") throw sessionRequired()
    await revokeSessions({ userId: principal.userId })
  },
})
