import { passwordMatches } from "@/lib/access/credentials/passwords"
import { markConfirmed } from "@/lib/access/credentials/session-store"
import { passwordHashOf } from "@/lib/access/people/people-store"
import { allowPerson } from "@/lib/access/permissions"
import { sessionRequired } from "@/lib/access/problems"
import { SessionConfirmation } from "@/lib/access/credentials/schema"
import { confirmationSucceeded, mayConfirm } from "@/lib/access/credentials/sign-in-limits"
import { organizationEndpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"

export const confirmSession = organizationEndpoint({
  route: "POST /v1/session/confirm",
  operationId: "confirmSession",
  tag: "Session",
  summary: "Confirm your identity",
  description:
    "Confirms the password of the signed-in user, for operations that return `auth.confirmation_required`. A confirmation lasts 15 minutes. A session has 20 attempts in 15 minutes; failed sign-ins do not count.",
  access: allowPerson(),
  bucket: null,
  body: SessionConfirmation,
  answers: [204],
  problems: [requestInvalid, sessionRequired],
  additive: true,

  async run({ principal }, { body }) {
    if (principal.kind === "key") throw sessionRequired()
    const { sessionId } = principal
    if (
      !(await mayConfirm(sessionId)) ||
      !(await passwordMatches(await passwordHashOf(principal.userId), body.password))
    ) {
      const detail = "Incorrect password, or too many attempts. After too many attempts, wait 15 minutes."
      throw requestInvalid(detail, { errors: [{ pointer: "/password", detail }] })
    }
    await confirmationSucceeded(sessionId)
    await markConfirmed(sessionId)
  },
})
