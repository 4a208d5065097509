import { allowSession } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { keyMissing } from "@/lib/api-keys/problems"
import * as keys from "@/lib/api-keys/store"
import { endpoint } from "@/lib/platform/http/endpoint"

export const revokeApiKey = endpoint({
  route: "DELETE /v1/projects/{projectId}/api-keys/{keyId}",
  operationId: "revokeApiKey",
  tag: "API key usage",
  summary: "Revoke API key",
  description: "For signed-in users. Requests with the key are refused within a second; its usage stays readable.",
  access: allowSession("projects:write"),
  bucket: null,
  path: { keyId: { prefix: "key", missing: keyMissing } },
  answers: [204],
  problems: [projectMissing, keyMissing],
  additive: true,

  async run(scope, { path }) {
    if (!(await keys.revokeKey(scope, path.keyId))) throw keyMissing()
  },
})
