import { mustBeConfirmed } from "@/lib/access/credentials/confirmation"
import { mintKey } from "@/lib/access/credentials/keys"
import { allowSession, permissionsOf } from "@/lib/access/permissions"
import { confirmationRequired, permissionMissing, projectMissing, sessionRequired } from "@/lib/access/problems"
import { alreadyRotated, keyMissing } from "@/lib/api-keys/problems"
import { CreatedApiKey, Rotation } from "@/lib/api-keys/schema"
import { rotateKey } from "@/lib/api-keys/rotation-store"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import { limitReached, reached } from "@/lib/projects/problems"

export const rotateApiKey = endpoint({
  route: "POST /v1/projects/{projectId}/api-keys/{keyId}/rotate",
  operationId: "rotateApiKey",
  tag: "API key usage",
  summary: "Rotate API key",
  description:
    "For signed-in users. Returns a new key with the name, permissions and lifetime of the old one. The old key continues to work for `overlapHours`, so that you can update your programs one by one, and is refused after that. A key whose replacement still works cannot be rotated again.",
  access: allowSession("projects:write"),
  bucket: null,
  path: { keyId: { prefix: "key", missing: keyMissing } },
  body: Rotation,
  answers: [201, CreatedApiKey],
  location: "/v1/projects/{projectId}/api-keys/{id}",
  problems: [
    requestInvalid,
    permissionMissing,
    sessionRequired,
    confirmationRequired,
    limitReached,
    projectMissing,
    keyMissing,
    alreadyRotated,
  ],
  additive: true,
  example: { body: { overlapHours: 24 } },

  async run(scope, { path, body }, io) {
    const { principal } = scope
    if (principal.kind === "key") throw sessionRequired()
    await mustBeConfirmed(principal, io.clock)
    const secret = mintKey(io.random)
    const held = permissionsOf(principal.roles.get(scope.organization.id))
    const plan = { keyId: path.keyId, overlapHours: body.overlapHours, held, by: principal.userId }
    const rotated = await rotateKey(scope, plan, secret)
    if (!rotated) throw keyMissing()
    if ("successor" in rotated)
      throw alreadyRotated(
        `The key ${rotated.successor} replaces this one and still works. Rotate that key instead, or revoke it first.`,
      )
    if ("limit" in rotated) throw reached("maxApiKeys", rotated.limit)
    if ("excess" in rotated)
      throw permissionMissing(`You cannot give what you may not do yourself: ${rotated.excess.join(", ")}.`)
    return { ...rotated, apiKey: secret.secret }
  },
})
