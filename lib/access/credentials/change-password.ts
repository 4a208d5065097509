import { hashPassword, passwordMatches } from "@/lib/access/credentials/passwords"
import { passwordHashOf, sessionProof, setPassword } from "@/lib/access/people/people-store"
import { allowPerson } from "@/lib/access/permissions"
import { credentialsInvalid, sessionRequired } from "@/lib/access/problems"
import { currentPasswordNeeded } from "@/lib/access/rules"
import { PasswordChange } from "@/lib/access/credentials/schema"
import { confirmationSucceeded, mayConfirm } from "@/lib/access/credentials/sign-in-limits"
import { organizationEndpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import type { SessionPrincipal } from "@/lib/platform/http/scope"

export const changePassword = organizationEndpoint({
  route: "POST /v1/session/password",
  operationId: "changePassword",
  tag: "Session",
  summary: "Change password",
  description:
    "Ends all other sessions of the user and invalidates their sign-in links. A session has 20 attempts at the current password in 15 minutes. Shortly after signing in with a link, no current password is needed.",
  access: allowPerson(),
  bucket: null,
  body: PasswordChange,
  answers: [204],
  problems: [requestInvalid, sessionRequired, credentialsInvalid],
  additive: true,
  example: { body: { currentPassword: "a long password", newPassword: "a longer password" } },

  async run({ principal }, { body }, io) {
    if (principal.kind === "key") throw sessionRequired()
    const proof = await sessionProof(principal.sessionId)
    const proved = proof && !currentPasswordNeeded(proof, io.clock.now())
    if (!proved && !(await knowsPassword(principal, body.currentPassword ?? ""))) {
      const detail = "Incorrect password, or too many attempts. After too many attempts, wait 15 minutes."
      throw requestInvalid(detail, { errors: [{ pointer: "/currentPassword", detail }] })
    }
    if (!(await setPassword(principal, await hashPassword(body.newPassword)))) throw credentialsInvalid()
  },
})

async function knowsPassword({ sessionId, userId }: SessionPrincipal, password: string): Promise<boolean> {
  if (!(await mayConfirm(sessionId))) return false
  const matches = await passwordMatches(await passwordHashOf(userId), password)
  if (matches) await confirmationSucceeded(sessionId)
  return matches
}
