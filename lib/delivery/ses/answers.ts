import type { DeliveryAttempt, SesFault } from "@/lib/delivery/transports/attempt"
import { cutText } from "@/lib/platform/text"

/** What an error of a call to SES means for the mail. */
export type SesAnswer = { text: string } & (
  | { kind: "paced"; why: "rate" | "daily" | "errors" }
  | { kind: "region_fault"; fault?: SesFault; phase?: NonNullable<DeliveryAttempt["phase"]> }
  | { kind: "mail_from_unverified" }
  | { kind: "refused" }
  /** SES may have the mail: the request went out, and no answer came. */
  | { kind: "ambiguous" }
)

/** As the SDK throws them: exceptions of the service, of the connection, and of the search for credentials. */
export type SesError = {
  name?: string
  code?: string
  message?: string
  $metadata?: { httpStatusCode?: number | undefined }
}

const textCharsMax = 1_000

/** A pure function; `configurationSet` is the one that the request named. */
export function sesAnswerOf(error: SesError, configurationSet?: string): SesAnswer {
  const { name = "", message = "", code = "", $metadata } = error
  const status = $metadata?.httpStatusCode
  const text = cutText([name, message].filter(Boolean).join(": "), textCharsMax)
  if (status === undefined) return withoutStatus(name, code, text)
  if (status === 429 || throttles.has(name))
    return { kind: "paced", why: /\b(?:daily|24.hours?)\b/i.test(message) ? "daily" : "rate", text }
  if (status >= 500) return { kind: "paced", why: "errors", text }
  if (name === "AccountSuspendedException")
    return { kind: "region_fault", fault: { code: "ses_suspended", facts: {} }, text }
  if (name === "SendingPausedException") return { kind: "region_fault", fault: { code: "ses_paused", facts: {} }, text }
  if (name === "MailFromDomainNotVerifiedException") return { kind: "mail_from_unverified", text }
  if (status === 401 || status === 403 || credentialErrors.has(name)) return credentials(text)
  if (name === "NotFoundException" && configurationSet !== undefined)
    return {
      kind: "region_fault",
      fault: { code: "ses_configuration_set", facts: { name: configurationSet } },
      text,
    }
  return { kind: "refused", text }
}

const throttles = new Set(["TooManyRequestsException", "LimitExceededException", "ThrottlingException", "Throttling"])
const credentialErrors = new Set(["ExpiredTokenException", "InvalidClientTokenId", "UnrecognizedClientException"])

function credentials(text: string): SesAnswer {
  return { kind: "region_fault", fault: { code: "ses_credentials", facts: { error: text } }, text }
}

/** Before a connection stands, nothing was sent. */
function withoutStatus(name: string, code: string, text: string): SesAnswer {
  if (/^(?:CredentialsProviderError|TokenProviderError)$/.test(name)) return credentials(text)
  const isUnconnected =
    unconnected.has(code) || (name === "TimeoutError" && /did not establish a connection/.test(text))
  return isUnconnected ? { kind: "region_fault", phase: "connect", text } : { kind: "ambiguous", text }
}

const unconnected = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EADDRNOTAVAIL",
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "ERR_TLS_CERT_ALTNAME_INVALID",
])
