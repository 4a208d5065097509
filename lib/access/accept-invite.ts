import { newUser } from "@/lib/access/admission-store"
import { findOpenInvite } from "@/lib/access/invite-store"
import { AcceptedInvite, AcceptInvite } from "@/lib/access/members-schema"
import { hashPassword } from "@/lib/access/passwords"
import { accountExists, inviteMissing } from "@/lib/access/problems"
import { forgetTry, mayTry } from "@/lib/access/sign-in-limit-store"
import { networkOf } from "@/lib/platform/client-address"
import { sha256 } from "@/lib/platform/crypto"
import { publicEndpoint } from "@/lib/platform/endpoint"
import { requestInvalid } from "@/lib/platform/problems"

export const acceptInvite = publicEndpoint({
  route: "POST /v1/invites/accept",
  operationId: "acceptInvite",
  tag: "Members",
  summary: "Accept an invite with a new account",
  description:
    "Makes the account of the invited address and the membership, once, with the token of the invite's link. Who has an account signs in and joins by `POST /v1/session/invites`.",
  access: { credential: "none" },
  bucket: null,
  body: AcceptInvite,
  answers: [200, AcceptedInvite],
  problems: [requestInvalid, inviteMissing, accountExists],
  additive: true,

  async run({ request }, { body }) {
    const attempt = { account: `invite ${networkOf(request.ip)}`, ip: request.ip }
    if (!(await mayTry(attempt))) throw inviteMissing()
    const invite = await findOpenInvite(sha256(body.token))
    if (!invite) throw inviteMissing()
    await forgetTry(attempt)
    if (invite.hasAccount) throw accountExists()
    const newcomer = { email: invite.email, name: body.name, passwordHash: await hashPassword(body.password), inviteId: invite.id }
    if (!(await newUser(newcomer, request))) throw inviteMissing()
    return { email: invite.email }
  },
})
