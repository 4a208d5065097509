import { hashPassword, passwordMatches } from "@/lib/access/credentials/passwords"
import { passwordHashOf, sessionDetails, setPassword } from "@/lib/access/people/people-store"
import { allowPerson } from "@/lib/access/permissions"
import { credentialsInvalid, sessionRequired } from "@/lib/access/problems"
import { currentPasswordNeeded } from "@/lib/access/rules"
import { PasswordChange } from "@/lib/access/credentials/schema"
import { confirmationWasRight, mayConfirm } from "@/lib/access/credentials/sign-in-limit-store"
import { organizationEndpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import type { SessionPrincipal } from "@/lib/platform/http/scope"

export const changePassword = organizationEndpoint({
  route: "POST /v1/session/password",
  operationId: "changePassword",
  tag: "Session",
  summary: "Change password",
  description:
    "Ends every other session of the person and voids their sign-in links. A session has 20 attempts in 15 minutes at the current password. Shortly after signing in by a link no current password is needed.",
  access: allowPerson(),
  bucket: null,
  body: PasswordChange,
  answers: [204],
  problems: [requestInvalid, sessionRequired, credentialsInvalid],
  additive: true,

  async run({ principal }, { body }, io) {
    if (principal.kind === "key") throw sessionRequired()
    const details = await sessionDetails(principal.sessionId)
    const proved = details && !currentPasswordNeeded(details, io.clock.now())
    if (!proved && !(await knowsPassword(principal, body.currentPassword ?? ""))) {
      const detail = "Incorrect password, or too many attempts: then wait 15 minutes."
      throw requestInvalid(detail, { errors: [{ pointer: "/currentPassword", detail }] })
    }
    if (!(await setPassword(principal, await hashPassword(body.newPassword)))) throw credentialsInvalid()
  },
})

async function knowsPassword({ sessionId, userId }: SessionPrincipal, password: string): Promise<boolean> {
  if (!(await mayConfirm(sessionId))) return false
  const matches = await passwordMatches(await passwordHashOf(userId), password)
  if (matches) await confirmationWasRight(sessionId)
  return matches
}
