import { mustBeConfirmed } from "@/lib/access/credentials/confirmation"
import { allowSession, permissionsOf } from "@/lib/access/permissions"
import { confirmationRequired, permissionMissing, projectMissing, sessionRequired } from "@/lib/access/problems"
import { permissionsOfKey, setPermissions } from "@/lib/api-keys/permission-store"
import { keyMissing } from "@/lib/api-keys/problems"
import { extendOverlap } from "@/lib/api-keys/rotation-store"
import { beyond } from "@/lib/api-keys/rules"
import { ApiKey, ApiKeyChange } from "@/lib/api-keys/schema"
import { findKey } from "@/lib/api-keys/store"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"

export const updateApiKey = endpoint({
  route: "PATCH /v1/projects/{projectId}/api-keys/{keyId}",
  operationId: "updateApiKey",
  tag: "API key usage",
  summary: "Change API key",
  description:
    "For signed-in users. Replaces the permissions of an active key, or extends the time that a rotated key works; takes effect within a second. You cannot give a key permissions that you do not have. To add permissions or time, you must have signed in or confirmed your password within the last 15 minutes.",
  access: allowSession("projects:write"),
  bucket: null,
  path: { keyId: { prefix: "key", missing: keyMissing } },
  body: ApiKeyChange,
  answers: [200, ApiKey],
  problems: [requestInvalid, permissionMissing, sessionRequired, confirmationRequired, projectMissing, keyMissing],
  additive: true,
  example: { body: { permissions: ["emails:send"] } },

  async run(scope, { path: { keyId }, body }, io) {
    const { principal } = scope
    if (principal.kind === "key") throw sessionRequired()
    const granted = await permissionsOfKey(scope, keyId)
    if (!granted) throw keyMissing()
    const wanted = body.permissions && [...new Set(body.permissions)]
    const added = (wanted ?? []).filter((permission) => !granted.includes(permission))
    const excess = beyond(permissionsOf(principal.roles.get(scope.organization.id)), added)
    if (excess.length) throw permissionMissing(`You cannot give what you may not do yourself: ${excess.join(", ")}.`)
    if (added.length || body.overlapHours) await mustBeConfirmed(principal, io.clock)

    if (body.overlapHours) {
      const end = await extendOverlap(scope, keyId, body.overlapHours)
      if (end !== "extended") throw invalidOverlap(refusals[end])
    }
    if (wanted && !(await setPermissions(scope, keyId, { wanted, addable: added }))) throw keyMissing()
    const key = await findKey(scope, keyId)
    if (!key) throw keyMissing()
    return key
  },
})

const refusals = {
  "not rotated": "This key was not rotated, so there is no overlap to extend.",
  "not longer": "The key goes on working for as long already, or until the end that it was made for.",
}

function invalidOverlap(detail: string) {
  return requestInvalid(detail, { errors: [{ pointer: "/overlapHours", detail }] })
}
