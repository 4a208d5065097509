import { newUser } from "@/lib/access/people/admission-store"
import { findOpenInvite } from "@/lib/access/invites/open-invite-store"
import { AcceptedInvite, AcceptInvite } from "@/lib/access/people/members-schema"
import { hashPassword } from "@/lib/access/credentials/passwords"
import { accountExists, inviteMissing } from "@/lib/access/problems"
import { forgetAttempt, mayAttempt } from "@/lib/access/credentials/sign-in-limits"
import { networkOf } from "@/lib/platform/http/client-address"
import { sha256 } from "@/lib/platform/crypto"
import { publicEndpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"

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
    const invite = await findOpenInvite(sha256(body.token))
    if (!invite) throw inviteMissing()
    await forgetAttempt(attempt)
    if (invite.hasAccount) throw accountExists()
    const newcomer = {
      email: invite.email,
      name: body.name,
      passwordHash: await hashPassword(body.password),
      inviteId: invite.id,
    }
    if (!(await newUser(newcomer, request))) throw inviteMissing()
    return { email: invite.email }
  },
})
