import { sessionAt } from "@/lib/access/credentials/get-session"
import { renamePerson } from "@/lib/access/people/people-store"
import { allowPerson } from "@/lib/access/permissions"
import { credentialsInvalid, sessionRequired } from "@/lib/access/problems"
import { Session, SessionChange } from "@/lib/access/credentials/schema"
import { organizationEndpoint } from "@/lib/platform/http/endpoint"
import { encodeId } from "@/lib/platform/ids"
import { requestInvalid } from "@/lib/platform/http/problems"

export const updateSession = organizationEndpoint({
  route: "PATCH /v1/session",
  operationId: "updateSession",
  tag: "Session",
  summary: "Change your name",
  description:
    "The name of the signed-in user in the list of members and in the invites they send. Users who joined with a link, GitHub or Google have no name at first.",
  access: allowPerson(),
  bucket: null,
  body: SessionChange,
  answers: [200, Session],
  problems: [requestInvalid, sessionRequired, credentialsInvalid],
  additive: true,
  example: { body: { name: "Ada Lovelace" } },

  async run({ principal, request }, { body }, io) {
    if (principal.kind === "key") throw sessionRequired()
    await renamePerson(principal, body.name, { ip: request.ip, requestId: encodeId("req", request.id) })
    return sessionAt(principal, io.clock.now())
  },
})
