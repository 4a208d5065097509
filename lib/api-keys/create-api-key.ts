import { mustBeConfirmed } from "@/lib/access/credentials/confirmation"
import { mintKey } from "@/lib/access/credentials/keys"
import { allowSession, permissionsOf } from "@/lib/access/permissions"
import { confirmationRequired, permissionMissing, projectMissing, sessionRequired } from "@/lib/access/problems"
import { beyond, expiryOf } from "@/lib/api-keys/rules"
import { CreatedApiKey, NewApiKey } from "@/lib/api-keys/schema"
import * as keys from "@/lib/api-keys/store"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import { limitReached, reached } from "@/lib/projects/problems"

export const createApiKey = endpoint({
  route: "POST /v1/projects/{projectId}/api-keys",
  operationId: "createApiKey",
  tag: "API key usage",
  summary: "Create API key",
  description:
    "For signed-in users. The response is the only place that shows the key: only its SHA-256 is stored. You cannot give a key permissions that you do not have. You must have signed in or confirmed your password within the last 15 minutes.",
  access: allowSession("projects:write"),
  bucket: null,
  body: NewApiKey,
  answers: [201, CreatedApiKey],
  location: "/v1/projects/{projectId}/api-keys/{id}",
  problems: [requestInvalid, permissionMissing, sessionRequired, confirmationRequired, limitReached, projectMissing],
  additive: true,
  example: { body: { name: "Checkout", permissions: ["emails:send", "emails:read"] } },

  async run(scope, { body }, io) {
    const { principal } = scope
    if (principal.kind === "key") throw sessionRequired()
    const wanted = [...new Set(body.permissions)]
    const excess = beyond(permissionsOf(principal.roles.get(scope.organization.id)), wanted)
    if (excess.length) throw permissionMissing(`You cannot give what you may not do yourself: ${excess.join(", ")}.`)
    await mustBeConfirmed(principal, io.clock)

    const secret = mintKey(io.random)
    const expiresAt = expiryOf(body.expiresInDays, io.clock.now())
    const issue = { name: body.name, permissions: wanted, createdBy: principal.userId, ...(expiresAt && { expiresAt }) }
    const key = await keys.issueKey(scope, issue, secret)
    if ("limit" in key) throw reached("maxApiKeys", key.limit)
    return { ...key, apiKey: secret.secret }
  },
})
