import { expect, test } from "vitest"
import { sesAnswerOf } from "@/lib/delivery/ses/client"

const service = (name: string, status: number, message = "as SES says") => ({
  name,
  message,
  $metadata: { httpStatusCode: status },
})

test.each([
  ["TooManyRequestsException", 429, "Maximum sending rate exceeded.", { kind: "paced", why: "rate" }],
  ["TooManyRequestsException", 429, "Daily message quota exceeded.", { kind: "paced", why: "daily" }],
  ["LimitExceededException", 400, "Too many of these.", { kind: "paced", why: "rate" }],
  ["InternalFailure", 500, "", { kind: "paced", why: "errors" }],
  ["ServiceUnavailable", 503, "", { kind: "paced", why: "errors" }],
  ["AccountSuspendedException", 400, "", { kind: "region_fault", fault: { code: "ses_suspended" } }],
  ["SendingPausedException", 400, "", { kind: "region_fault", fault: { code: "ses_paused" } }],
  ["AccountSendingPausedException", 400, "", { kind: "region_fault", fault: { code: "ses_paused" } }],
  ["ConfigurationSetSendingPausedException", 400, "", { kind: "region_fault", fault: { code: "ses_paused" } }],
  [
    "MessageRejected",
    400,
    "Sending paused for this account. For more information, please check the inbox of the email address associated with your AWS account.",
    { kind: "region_fault", fault: { code: "ses_paused" } },
  ],
  [
    "MessageRejected",
    400,
    "Email sending for the configuration set main is paused.",
    { kind: "region_fault", fault: { code: "ses_paused" } },
  ],
  [
    "MessageRejected",
    400,
    "Sending suspended for this account. For more information, please check the inbox of the email address associated with your AWS account.",
    { kind: "region_fault", fault: { code: "ses_suspended" } },
  ],
  [
    "UnrecognizedClientException",
    403,
    "The security token is invalid.",
    { kind: "region_fault", fault: { code: "ses_credentials" } },
  ],
  ["AccessDeniedException", 403, "", { kind: "region_fault", fault: { code: "ses_credentials" } }],
  [
    "NotFoundException",
    404,
    "Configuration set <main> does not exist.",
    { kind: "region_fault", fault: { code: "ses_configuration_set", facts: { name: "main" } } },
  ],
  ["MailFromDomainNotVerifiedException", 400, "", { kind: "mail_from_unverified" }],
  ["MessageRejected", 400, "Email address is not verified.", { kind: "refused" }],
  ["BadRequestException", 400, "", { kind: "refused" }],
])("%s with %i (%s) is %j", (name, status, message, answer) => {
  expect(sesAnswerOf(service(name, status, message), "main")).toMatchObject(answer)
})

test.each([
  [{ code: "ECONNREFUSED" }, { kind: "region_fault", phase: "connect" }],
  [{ code: "ENOTFOUND" }, { kind: "region_fault", phase: "connect" }],
  [
    {
      name: "TimeoutError",
      message: "the request socket did not establish a connection with the server within 5000 ms",
    },
    { kind: "region_fault", phase: "connect" },
  ],
  [{ name: "CredentialsProviderError" }, { kind: "region_fault", fault: { code: "ses_credentials" } }],
  [{ name: "TimeoutError", code: "ETIMEDOUT" }, { kind: "ambiguous" }],
  [{ name: "TimeoutError", code: "ECONNRESET" }, { kind: "ambiguous" }],
  [{ name: "AbortError" }, { kind: "ambiguous" }],
])("without an answer, %j is %j: only what had no connection was surely not sent", (error, answer) => {
  expect(sesAnswerOf(error)).toMatchObject(answer)
})
