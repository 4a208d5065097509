import * as access from "@/lib/access/problems"
import { endpoints } from "@/lib/api/registry"
import { env } from "@/lib/platform/env/env"
import { openApiDocument } from "@/lib/platform/http/openapi"
import type { ImpliedProblems } from "@/lib/platform/http/openapi-responses"

export const impliedProblems: ImpliedProblems = {
  unauthenticated: [access.credentialsMissing, access.credentialsInvalid],
  forbidden: [access.projectMismatch, access.permissionMissing],
  limited: [access.rateLimited],
}

/** The API of this installation as an OpenAPI 3.1 document. */
export function apiDocument() {
  return openApiDocument(endpoints, {
    title: "Mailroom",
    version: "1.0.0",
    description:
      "Transactional email: send, inspect and stream email, and keep the data around it. Errors are problem documents (RFC 9457) whose `type` is a page that explains the code. Ids are TypeIDs, times ISO 8601 in UTC.",
    serverUrl: env().baseUrl,
    implied: impliedProblems,
  })
}
