import { passwordMatches } from "@/lib/access/passwords"
import { confirmSession as markConfirmed, passwordHashOf } from "@/lib/access/people-store"
import { allowPerson } from "@/lib/access/permissions"
import { sessionRequired } from "@/lib/access/problems"
import { SessionConfirmation } from "@/lib/access/schema"
import { forgetTry, mayTry } from "@/lib/access/sign-in-limit-store"
import { organizationEndpoint } from "@/lib/platform/endpoint"
import { requestInvalid } from "@/lib/platform/problems"

export const confirmSession = organizationEndpoint({
  route: "POST /v1/session/confirm",
  operationId: "confirmSession",
  tag: "Session",
  summary: "Confirm that it is you",
  description:
    "Takes the password of the signed-in person again, for operations that answer `auth.confirmation_required`. It holds for 15 minutes. Wrong ones count as tries to sign in.",
  access: allowPerson(),
  bucket: null,
  body: SessionConfirmation,
  answers: [204],
  problems: [requestInvalid, sessionRequired],
  additive: true,

  async run({ principal, request }, { body }) {
    if (principal.kind === "key") throw sessionRequired()
    const attempt = { account: principal.email, ip: request.ip }
    const mayGo = await mayTry(attempt)
    if (!mayGo || !(await passwordMatches(await passwordHashOf(principal.userId), body.password))) {
      const detail = "This is not your password, or there were too many tries."
      throw requestInvalid(detail, { errors: [{ pointer: "/password", detail }] })
    }
    await forgetTry(attempt)
    await markConfirmed(principal.sessionId)
  },
})
