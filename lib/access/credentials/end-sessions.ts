import { allowPerson } from "@/lib/access/permissions"
import { sessionRequired } from "@/lib/access/problems"
import * as access from "@/lib/access/credentials/store"
import { organizationEndpoint } from "@/lib/platform/http/endpoint"

export const endSessions = organizationEndpoint({
  route: "DELETE /v1/sessions",
  operationId: "endSessions",
  tag: "Session",
  summary: "Sign out everywhere",
  description: "Ends every session of the person, this one included, on every browser, within a second.",
  access: allowPerson(),
  bucket: null,
  actsOnAll: true,
  answers: [204],
  problems: [sessionRequired],
  additive: true,

  async run({ principal }) {
    if (principal.kind === "key") throw sessionRequired()
    await access.endSessions({ userId: principal.userId })
  },
})
