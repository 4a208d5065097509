import { problem } from "@/lib/platform/http/problem"

export const emailMissing = problem("email.not_found", 404, "Email not found", "This project has no such email.")
export const rawMissing = problem(
  "email.raw_not_found",
  404,
  "Message not composed yet",
  "The message is composed at its first delivery attempt. Try again after that.",
)
export const idempotencyConflict = problem(
  "email.idempotency_conflict",
  409,
  "Same key in flight",
  "Another request with this idempotencyKey is being accepted. Send the same request again after `Retry-After`.",
)
export const notCancellable = problem(
  "email.not_cancellable",
  409,
  "Not cancellable",
  "Only an email with the status `scheduled` can be cancelled.",
)
export const notReschedulable = problem(
  "email.not_reschedulable",
  409,
  "Not reschedulable",
  "Only an email with the status `scheduled` can be moved to another time.",
)
export const domainNotVerified = problem(
  "email.from_domain_not_verified",
  422,
  "Sending domain not verified",
  "The domain of `from` is not a verified domain of this project. Add exactly this domain (a subdomain needs its own registration), publish its DNS records and wait until it is verified.",
)
export const projectSuspended = problem(
  "project.suspended",
  422,
  "Project suspended",
  "The project is suspended or deleted and cannot send. An owner can resume it in the project's settings, which also show the reason.",
)
export const audienceTooLarge = problem(
  "email.audience_too_large",
  413,
  "Audience too large",
  "A topic or segment can be the recipient of one request only if it has at most 50 sendable members. Create a broadcast to reach more.",
)
export const audienceEmpty = problem(
  "email.audience_empty",
  422,
  "Audience empty",
  "The topic or segment has no sendable members: it is empty, or all members are unsubscribed, suppressed or have not opted in. `POST /v1/projects/{projectId}/segments/preview` shows who is excluded and why.",
)
export const sendRateExceeded = problem(
  "quota.send_rate_exceeded",
  429,
  "Sending too fast",
  "The project has reached its allowance per second. Wait for `Retry-After` and send again.",
)
export const dailyQuotaExceeded = problem(
  "quota.daily_exceeded",
  429,
  "Daily allowance used up",
  "The organization has used up its daily allowance. It resets at midnight UTC; `Retry-After` is the number of seconds until then.",
)
