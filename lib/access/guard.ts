import type { Guard } from "@/lib/platform/serve"
import { authenticate } from "@/lib/access/credentials"
import { authorize } from "@/lib/access/authorize"
import { sessionBucket } from "@/lib/access/bucket-table"
import { spend } from "@/lib/access/bucket-store"
import { admit } from "@/lib/access/public-limit"

/** What stands between a request and an operation: credential, bucket, project, permission. */
export const guard: Omit<Guard, "answered"> = {
  admit,
  authenticate,
  authorize,
  async spend(endpoint, principal) {
    if (principal.kind === "session") return spend(sessionBucket, principal.userId)
    return endpoint.bucket ? spend(endpoint.bucket, principal.keyId) : {}
  },
}
