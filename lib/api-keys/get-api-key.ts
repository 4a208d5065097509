import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { keyMissing } from "@/lib/api-keys/problems"
import { ApiKey } from "@/lib/api-keys/schema"
import * as keys from "@/lib/api-keys/store"
import { endpoint } from "@/lib/platform/http/endpoint"

export const getApiKey = endpoint({
  route: "GET /v1/projects/{projectId}/api-keys/{keyId}",
  operationId: "getApiKey",
  tag: "API key usage",
  summary: "Get API key",
  description:
    "One key with its permissions and last use. The secret is shown only when the key is created or rotated.",
  access: allow("usage:read"),
  bucket: null,
  path: { keyId: { prefix: "key", missing: keyMissing } },
  answers: [200, ApiKey],
  problems: [projectMissing, keyMissing],

  async run(scope, { path }) {
    const key = await keys.findKey(scope, path.keyId)
    if (!key) throw keyMissing()
    return key
  },
})
