import { findSessionDetails, markConfirmed } from "@/lib/access/credentials/data"
import { hashPassword, passwordMatches } from "@/lib/access/credentials/passwords"
import {
  PasswordChange,
  Session,
  SessionChange,
  SessionConfirmation,
  SignInLinkRequest,
} from "@/lib/access/credentials/schema"
import { confirmationSucceeded, mayAskForLink, mayConfirm } from "@/lib/access/credentials/sign-in-limits"
import { passwordHashOf, renamePerson, sessionProof, setPassword } from "@/lib/access/people/data"
import { recordAccountChange } from "@/lib/access/people/api"
import { allowPerson } from "@/lib/access/permissions"
import { credentialsInvalid, sessionRequired, signInLinksOff } from "@/lib/access/problems"
import { currentPasswordNeeded, landingPath } from "@/lib/access/rules"
import { queueSystemMail } from "@/lib/access/system-mail/data"
import { systemMailExpiresAfterMs, systemRelay } from "@/lib/access/system-mail/system-mail"
import { personAddress } from "@/lib/addresses/address"
import { removalOf } from "@/lib/platform/database/deletion-sql"
import { organizationEndpoint, publicEndpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import type { SessionPrincipal } from "@/lib/platform/http/scope"
import { encodeId } from "@/lib/platform/ids"
import { present } from "@/lib/platform/schema"

export const getSession = organizationEndpoint({
  route: "GET /v1/session",
  operationId: "getSession",
  tag: "Session",
  summary: "Get session",
  description: "The signed-in user with their organizations, roles and projects.",
  access: allowPerson(),
  bucket: null,
  answers: [200, Session],
  problems: [sessionRequired, credentialsInvalid],
  additive: true,

  async run({ principal }, _, io) {
    if (principal.kind === "key") throw sessionRequired()
    return sessionAt(principal, io.clock.now())
  },
})

/** The signed-in user as the API shows them. @throws credentialsInvalid when the session has ended meanwhile */
async function sessionAt(principal: SessionPrincipal, now: Date): Promise<Session> {
  const { sessionId, userId, email, operator, withheld } = principal
  const details = await findSessionDetails(sessionId)
  if (!details) throw credentialsInvalid()
  const seen = <T>(organizationId: string, projects: T[]) => (withheld.has(organizationId) ? [] : projects)
  return {
    user: { id: userId, email, name: present(details.name), operator },
    organizations: details.organizations.map(({ projects, deletedProjects, ...organization }) => ({
      ...organization,
      secondFactorNeeded: withheld.has(organization.id),
      projects: seen(organization.id, projects).map(({ suspensionReason, ...project }) => ({
        ...project,
        suspensionReason: present(suspensionReason),
      })),
      deletedProjects: seen(organization.id, deletedProjects).map(({ deletedAt, ...project }) => ({
        ...project,
        removedAt: removalOf(new Date(deletedAt)),
      })),
    })),
    createdAt: details.createdAt,
    expiresAt: details.expiresAt,
    currentPasswordNeeded: currentPasswordNeeded(details, now),
    hasPassword: details.hasPassword,
  }
}

export const updateSession = organizationEndpoint({
  route: "PATCH /v1/session",
  operationId: "updateSession",
  tag: "Session",
  summary: "Change your name",
  description:
    "The name of the signed-in user in the list of members and in the invites they send. Users who joined with a link or by an identity provider have no name at first.",
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

  async run({ principal, request }, { body }, io) {
    if (principal.kind === "key") throw sessionRequired()
    const proof = await sessionProof(principal.sessionId)
    const proved = proof && !currentPasswordNeeded(proof, io.clock.now())
    if (!proved) await mustKnowPassword(principal, body.currentPassword ?? "", "/currentPassword")
    if (!(await setPassword(principal, await hashPassword(body.newPassword)))) throw credentialsInvalid()
    await recordAccountChange(principal, request, { action: "user.password_changed" })
  },
})

/** @throws requestInvalid with the reason, at the field */
async function mustKnowPassword({ sessionId, userId }: SessionPrincipal, password: string, pointer: string) {
  const refuse = (detail: string) => requestInvalid(detail, { errors: [{ pointer, detail }] })
  if (!(await mayConfirm(sessionId))) throw refuse("Too many attempts. Wait 15 minutes.")
  if (!(await passwordMatches(await passwordHashOf(userId), password))) throw refuse("Incorrect password.")
  await confirmationSucceeded(sessionId)
}

export const requestSignInLink = publicEndpoint({
  route: "POST /v1/session/links",
  operationId: "requestSignInLink",
  tag: "Session",
  summary: "Email a sign-in link",
  description:
    "Sends a link to users and invited addresses only, or with `find` the addresses at which a user signs in; the answer and its timing are the same for every address. The link works once, within 15 minutes of being sent. An address gets at most 20 links in 15 minutes, 5 of them requested from one network; more are dropped.",
  access: { credential: "none" },
  bucket: null,
  body: SignInLinkRequest,
  answers: [204],
  problems: [requestInvalid, signInLinksOff],
  additive: true,

  async run({ request }, { body }, io) {
    if (!systemRelay()) throw signInLinksOff()
    const to = personAddress(body.email)
    if (!to) throw requestInvalid(undefined, { errors: [{ pointer: "/email", detail: "Must be one email address." }] })
    if (!(await mayAskForLink({ account: to, ip: request.ip }))) return
    const wanted = landingPath(body.wanted)
    await queueSystemMail(
      { kind: "sign-in-link", to, ...(wanted !== "/" && { wanted }), ...(body.find && { find: true }) },
      new Date(io.clock.now().getTime() + systemMailExpiresAfterMs),
    )
  },
})

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
    await mustKnowPassword(principal, body.password, "/password")
    await markConfirmed(principal.sessionId)
  },
})

export const sessionOperations = [getSession, updateSession, changePassword, requestSignInLink, confirmSession] as const
