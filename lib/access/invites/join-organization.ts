import { acceptAs } from "@/lib/access/people/admission-store"
import { JoinByInvite, Joined } from "@/lib/access/people/members-schema"
import { allowPerson } from "@/lib/access/permissions"
import { addressUnproven, inviteMissing, sessionRequired } from "@/lib/access/problems"
import { sha256 } from "@/lib/platform/crypto"
import { organizationEndpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"

export const joinOrganization = organizationEndpoint({
  route: "POST /v1/session/invites",
  operationId: "joinOrganization",
  tag: "Members",
  summary: "Accept an invite as the signed-in user",
  description:
    "Accepts an invite to the address of the signed-in user, once, by its token. An invite to another address is not found. The user must have signed in once in a way that proves the address: with a sign-in link, GitHub or Google, or an invite sent by email.",
  access: allowPerson(),
  bucket: null,
  body: JoinByInvite,
  answers: [200, Joined],
  problems: [requestInvalid, sessionRequired, inviteMissing, addressUnproven],
  additive: true,

  async run({ principal, request }, { body }) {
    if (principal.kind === "key") throw sessionRequired()
    const joined = await acceptAs(principal, sha256(body.token), request)
    if (!joined) throw inviteMissing()
    if (joined === "unproven") throw addressUnproven()
    return joined
  },
})
