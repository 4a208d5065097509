import { allow } from "@/lib/access/permissions"
import { ApiKeyList } from "@/lib/api-keys/schema"
import * as keys from "@/lib/api-keys/store"
import { endpoint } from "@/lib/platform/http/endpoint"

export const listApiKeys = endpoint({
  route: "GET /v1/projects/{projectId}/api-keys",
  operationId: "listApiKeys",
  tag: "API key usage",
  summary: "List API keys",
  description:
    "Every key of the project, newest first, including revoked and expired ones. The secrets are never shown again.",
  access: allow("usage:read"),
  bucket: null,
  answers: [200, ApiKeyList],
  problems: [],

  async run(scope) {
    return { data: await keys.listKeys(scope) }
  },
})
