import type { Guard } from "@/lib/platform/http/serve"
import { authenticate } from "@/lib/access/credentials/credentials"
import { authorize } from "@/lib/access/authorize"
import { sessionBucket } from "@/lib/access/limits/bucket-table"
import { spend } from "@/lib/access/limits/spend"
import { admit } from "@/lib/access/limits/public-limit"

/** The checks before every operation: credential, rate limit, project, permission. */
export const guard: Omit<Guard, "answered"> = {
  admit,
  authenticate,
  authorize,
  async spend(endpoint, principal) {
    if (principal.kind === "session") return spend(sessionBucket, principal.userId)
    return endpoint.bucket ? spend(endpoint.bucket, principal.keyId) : {}
  },
}
