import { dayMs } from "@/lib/platform/time"
import { personAddress } from "@/lib/addresses/person-address"
import { addInvite } from "@/lib/access/invites/invite-store"
import { CreatedInvite, NewInvite } from "@/lib/access/people/members-schema"
import { allowSession } from "@/lib/access/permissions"
import {
  alreadyMember,
  permissionMissing,
  projectMissing,
  sessionRequired,
  tooManyInvites,
} from "@/lib/access/problems"
import { systemRelay } from "@/lib/access/system-mail/system-mail"
import { sha256 } from "@/lib/platform/crypto"
import { endpoint } from "@/lib/platform/http/endpoint"
import { env } from "@/lib/platform/env/env"
import { requestInvalid } from "@/lib/platform/http/problems"

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
    const invite = await addInvite(scope, scope.principal, plan)
    if (invite === "not-yours") throw permissionMissing("Only an owner can invite an owner.")
    if (invite === "member") throw alreadyMember()
    if (invite === "too-many") throw tooManyInvites(undefined, { retryAfterSeconds: retrySeconds })
    return { ...invite, mailed, ...(!mailed && { url }) }
  },
})
