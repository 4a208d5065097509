import { mustBeConfirmed } from "@/lib/access/credentials/confirmation"
import { allowSession, permissionsOf } from "@/lib/access/permissions"
import { confirmationRequired, permissionMissing, projectMissing, sessionRequired } from "@/lib/access/problems"
import { permissionsOfKey, setPermissions } from "@/lib/api-keys/permission-store"
import { keyMissing } from "@/lib/api-keys/problems"
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
    "For signed-in people. Replaces the permissions of a key that works; requests are judged by them within a second. Nobody can give a key permissions that they do not have, and to add one takes a sign-in, or the password again, within the last 15 minutes.",
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
    const wanted = [...new Set(body.permissions)]
    const granted = await permissionsOfKey(scope, keyId)
    if (!granted) throw keyMissing()
    const added = wanted.filter((permission) => !granted.includes(permission))
    const excess = beyond(permissionsOf(principal.roles.get(scope.organization.id)), added)
    if (excess.length) throw permissionMissing(`You cannot give what you may not do yourself: ${excess.join(", ")}.`)
    if (added.length) await mustBeConfirmed(principal, io.clock)

    const isChanged = await setPermissions(scope, keyId, { wanted, addable: added })
    const key = isChanged && (await findKey(scope, keyId))
    if (!key) throw keyMissing()
    return key
  },
})
