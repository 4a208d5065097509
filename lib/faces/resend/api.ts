import { bearerKey, type Face, messageOf, type FaceRefusal } from "@/lib/faces/face"
import { resendProperties, resendSegments, resendTopics } from "@/lib/faces/resend/audience"
import { resendBroadcasts } from "@/lib/faces/resend/broadcasts"
import { resendContacts, resendMemberships } from "@/lib/faces/resend/contacts"
import { resendDomains } from "@/lib/faces/resend/domains"
import { resendEmails } from "@/lib/faces/resend/emails"
import { resendSuppressions } from "@/lib/faces/resend/suppressions"
import { resendTemplates } from "@/lib/faces/resend/templates"
import { resendWebhooks } from "@/lib/faces/resend/webhooks"
import type { ProblemDocument } from "@/lib/platform/http/problem"

/** Its names of errors and their statuses by our codes; what is not listed is named by its status. */
const errors: Record<string, readonly [name: string, statusCode: number]> = {
  "auth.missing_credentials": ["missing_api_key", 401],
  "auth.invalid_credentials": ["invalid_api_key", 403],
  "auth.permission_missing": ["restricted_api_key", 401],
  "auth.address_not_allowed": ["restricted_api_key", 401],
  "auth.sender_not_allowed": ["restricted_api_key", 401],
  "request.invalid": ["validation_error", 422],
  "request.method_not_allowed": ["method_not_allowed", 405],
  "email.from_domain_not_verified": ["validation_error", 403],
  "email.idempotency_conflict": ["concurrent_idempotent_requests", 409],
  "quota.daily_exceeded": ["daily_quota_exceeded", 429],
}

function nameOf(status: number): string {
  if (status === 404) return "not_found"
  if (status === 429) return "rate_limit_exceeded"
  return status < 500 ? "validation_error" : "internal_server_error"
}

function refusalOf(problem: ProblemDocument): FaceRefusal {
  const [name, statusCode] = errors[problem.code] ?? [nameOf(problem.status), problem.status]
  return { status: statusCode, body: { statusCode, name, message: messageOf(problem) } }
}

export const resend: Face = {
  name: "resend",
  operations: [
    ...resendEmails,
    ...resendContacts,
    ...resendMemberships,
    ...resendSegments,
    ...resendTopics,
    ...resendProperties,
    ...resendTemplates,
    ...resendBroadcasts,
    ...resendDomains,
    ...resendWebhooks,
    ...resendSuppressions,
  ],
  keyOf: bearerKey,
  refusalOf,
}
