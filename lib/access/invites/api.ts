import { hashPassword } from "@/lib/access/credentials/passwords"
import { forgetAttempt, mayAttempt } from "@/lib/access/credentials/sign-in-limits"
import * as invites from "@/lib/access/invites/data"
import {
  AcceptedInvite,
  AcceptInvite,
  CreatedInvite,
  InviteList,
  JoinByInvite,
  Joined,
  NewInvite,
} from "@/lib/access/people/schema"
import { allowPerson, allowSession } from "@/lib/access/permissions"
import {
  accountExists,
  addressUnproven,
  alreadyMember,
  inviteMissing,
  permissionMissing,
  projectMissing,
  sessionRequired,
  tooManyInvites,
} from "@/lib/access/problems"
import { systemRelay } from "@/lib/access/system-mail/system-mail"
import { personAddress } from "@/lib/addresses/address"
import { sha256 } from "@/lib/platform/crypto"
import { env } from "@/lib/platform/env/env"
import { networkOf } from "@/lib/platform/networks"
import { endpoint, organizationEndpoint, publicEndpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import { encodeId } from "@/lib/platform/ids"
import { dayMs } from "@/lib/platform/time"

export const listInvites = endpoint({
  route: "GET /v1/projects/{projectId}/invites",
  operationId: "listInvites",
  tag: "Members",
  summary: "List pending invites",
  description:
    "For signed-in owners and admins. Invites that are neither accepted nor revoked, newest first, as a `data` list.",
  access: allowSession("projects:write", "owner", "admin"),
  bucket: null,
  answers: [200, InviteList],
  problems: [projectMissing, sessionRequired],
  additive: true,

  async run(scope) {
    return { data: await invites.readInvites(scope) }
  },
})

const validMs = 7 * dayMs
const tokenBytes = 32
const retrySeconds = 3_600

export const createInvite = endpoint({
  route: "POST /v1/projects/{projectId}/invites",
  operationId: "createInvite",
  tag: "Members",
  summary: "Create invite",
  description:
    "For signed-in owners and admins. The link is sent by email and works once, within 7 days, for that address only; only its hash is stored. Inviting an address again invalidates the earlier link. An organization can send 100 invites in 24 hours; accepted ones do not count. If the installation cannot send system email, the response contains the link to pass on.",
  access: allowSession("projects:write", "owner", "admin"),
  bucket: null,
  body: NewInvite,
  answers: [201, CreatedInvite],
  location: "/v1/projects/{projectId}/invites/{id}",
  problems: [requestInvalid, permissionMissing, sessionRequired, projectMissing, alreadyMember, tooManyInvites],
  additive: true,

  async run(scope, { body }, io) {
    if (scope.principal.kind === "key") throw sessionRequired()
    const email = personAddress(body.email)
    if (!email)
      throw requestInvalid(undefined, { errors: [{ pointer: "/email", detail: "Must be one email address." }] })
    const token = io.random.bytes(tokenBytes).toString("base64url")
    const url = `${env().baseUrl}/invite?token=${token}`
    const mailed = systemRelay() !== null
    const expiresAt = new Date(io.clock.now().getTime() + validMs)
    const plan = { email, role: body.role, tokenHash: sha256(token), url, expiresAt, mailed }
    const invite = await invites.addInvite(scope, scope.principal, plan)
    if (invite === "not-yours") throw permissionMissing("Only an owner can invite an owner.")
    if (invite === "member") throw alreadyMember()
    if (invite === "too-many") throw tooManyInvites(undefined, { retryAfterSeconds: retrySeconds })
    return { ...invite, mailed, ...(!mailed && { url }) }
  },
})

export const revokeInvite = endpoint({
  route: "DELETE /v1/projects/{projectId}/invites/{inviteId}",
  operationId: "revokeInvite",
  tag: "Members",
  summary: "Revoke invite",
  description: "For signed-in owners and admins. The link no longer works.",
  access: allowSession("projects:write", "owner", "admin"),
  bucket: null,
  path: { inviteId: { prefix: "inv", missing: inviteMissing } },
  answers: [204],
  problems: [permissionMissing, sessionRequired, projectMissing, inviteMissing],
  additive: true,

  async run(scope, { path }) {
    if (scope.principal.kind === "key") throw sessionRequired()
    const fault = await invites.withdrawInvite(scope, scope.principal, path.inviteId)
    if (fault === "missing") throw inviteMissing()
    if (fault === "not-yours") throw permissionMissing("Only an owner can revoke the invite of an owner.")
  },
})

export const acceptInvite = publicEndpoint({
  route: "POST /v1/invites/accept",
  operationId: "acceptInvite",
  tag: "Members",
  summary: "Accept an invite with a new account",
  description:
    "Creates the account of the invited address and its membership, once, with the token of the invite's link. Users with an account sign in and join with `POST /v1/session/invites`.",
  access: { credential: "none" },
  bucket: null,
  body: AcceptInvite,
  answers: [200, AcceptedInvite],
  problems: [requestInvalid, inviteMissing, accountExists],
  additive: true,
  example: { body: { token: "the token of the link", name: "Grace Hopper", password: "a long password" } },

  async run({ request }, { body }) {
    const attempt = { account: `invite ${networkOf(request.ip)}`, ip: request.ip }
    if (!(await mayAttempt(attempt))) throw inviteMissing()
    const invite = await invites.findOpenInvite(sha256(body.token))
    if (!invite) throw inviteMissing()
    await forgetAttempt(attempt)
    if (invite.hasAccount) throw accountExists()
    const newcomer = {
      email: invite.email,
      name: body.name,
      passwordHash: await hashPassword(body.password),
      inviteId: invite.id,
    }
    if (!(await invites.addInvitedUser(newcomer, request))) throw inviteMissing()
    return { email: invite.email }
  },
})

export const joinOrganization = organizationEndpoint({
  route: "POST /v1/session/invites",
  operationId: "joinOrganization",
  tag: "Members",
  summary: "Accept an invite as the signed-in user",
  description:
    "Accepts an invite to the address of the signed-in user, once, by its token. An invite to another address is not found. The user must have signed in once in a way that proves the address: with a sign-in link, by an identity provider, or with an invite sent by email.",
  access: allowPerson(),
  bucket: null,
  body: JoinByInvite,
  answers: [200, Joined],
  problems: [requestInvalid, sessionRequired, inviteMissing, addressUnproven],
  additive: true,

  async run({ principal, request }, { body }) {
    if (principal.kind === "key") throw sessionRequired()
    const from = { ip: request.ip, requestId: encodeId("req", request.id) }
    const joined = await invites.acceptInviteAs(principal, sha256(body.token), from)
    if (!joined) throw inviteMissing()
    if (joined === "unproven") throw addressUnproven()
    return joined
  },
})

export const inviteOperations = [listInvites, createInvite, revokeInvite, acceptInvite] as const
