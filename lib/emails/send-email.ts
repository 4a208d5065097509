import { buckets } from "@/lib/access/bucket-table"
import { allow } from "@/lib/access/permissions"
import { accept } from "@/lib/emails/accept"
import { findReplays, type Accepted } from "@/lib/emails/accept-store"
import { planSend } from "@/lib/emails/admission"
import { heldOr, refusalOf, sentEmail } from "@/lib/emails/answers"
import * as problems from "@/lib/emails/problems"
import { idempotencyKey, NewEmail, SentEmail } from "@/lib/emails/schema"
import { endpoint, Reply } from "@/lib/platform/endpoint"
import { requestInvalid } from "@/lib/platform/problems"
import type { Scope } from "@/lib/platform/scope"

/** Bodies of sends: 10 MiB of attachments in base64, two bodies of 2 MiB in JSON, and the rest. */
export const sendBytesMax = 24 * 2 ** 20

export const sendEmail = endpoint({
  route: "POST /v1/emails",
  operationId: "sendEmail",
  tag: "Emails",
  summary: "Send an email",
  description: `Accepts one email, now or at \`scheduledAt\`. The answer comes when it is durably stored.

Several addresses in \`to\` without cc and bcc make one message each, listed in \`messages\`. With cc or bcc there is one shared message.

**Idempotency.** A request with an \`idempotencyKey\` that has been accepted before answers 201 with the original body and the header \`Idempotent-Replayed: true\`, whatever the rest of the body says, costs no quota and never makes a second email. A refused request does not use its key up. The claim lives as long as the email.

**Delivery** is at least once: when the reply of the next server is lost, the same bytes with the same Message-ID are sent again, unless the project's policy is to hold.

**Simulator.** \`delivered@\`, \`bounced@\`, \`delayed@\` and \`suppressed@simulator.<service domain>\`, each with an optional label as in \`bounced+a@\`, take a mail down that path without leaving the machine: accepted; refused with 550 5.1.1, which suppresses the labelled address alone; asked to wait at every try (451 4.7.0), so \`delivery_delayed\` after the third; held back as a suppressed recipient.

A signed-in person names the project by the query \`projectId\`.`,
  access: allow("emails:send"),
  bucket: buckets.emailSend,
  body: NewEmail,
  bodyBytesMax: sendBytesMax,
  answers: [201, SentEmail],
  location: "/v1/emails/{id}",
  problems: [
    requestInvalid,
    problems.idempotencyConflict,
    problems.audienceTooLarge,
    problems.domainNotVerified,
    problems.projectSuspended,
    problems.sendRateExceeded,
    problems.dailyQuotaExceeded,
  ],

  async run(scope, { body }, { clock }) {
    const send = planSend(scope, body, clock.now())
    const accepted = await accept(scope.project.id, send).catch((error: unknown) => {
      throw heldOr(error, send.key)
    })
    return answerOf(accepted)
  },

  async recover(scope, body) {
    const key = keyOf(body)
    const known = key === null ? undefined : await replayOf(scope, key)
    return known ? answerOf(known) : null
  },
})

function answerOf(accepted: Accepted): Reply {
  if (!("messages" in accepted)) throw refusalOf(accepted)
  const headers = accepted.outcome === "replayed" ? { "Idempotent-Replayed": "true" } : undefined
  return new Reply(201, { value: sentEmail(accepted.messages), headers })
}

/** The valid idempotency key of a body that may be invalid otherwise. */
export function keyOf(body: unknown): string | null {
  if (typeof body !== "object" || body === null) return null
  return idempotencyKey.safeParse((body as Record<string, unknown>).idempotencyKey).data ?? null
}

async function replayOf(scope: Scope, key: string): Promise<Accepted | undefined> {
  return (await findReplays(scope.project.id, [key])).get(key)
}
