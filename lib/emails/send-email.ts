import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { rateLimited } from "@/lib/access/problems"
import { accept } from "@/lib/emails/accept"
import { findReplays, type Accepted } from "@/lib/emails/accept-sql"
import { planSend } from "@/lib/emails/admission"
import { resolveTargets } from "@/lib/emails/audience"
import { heldOr, refusalOf, sentEmail } from "@/lib/emails/answers"
import * as problems from "@/lib/emails/problems"
import { idempotencyKey, NewEmail } from "@/lib/emails/send-schema"
import { SentEmail } from "@/lib/emails/sent-schema"
import { findAudienceId } from "@/lib/emails/store"
import { endpoint, Reply } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"
import { storageFull } from "@/lib/projects/schema"

/** Bodies of sends: 10 MiB of attachments in base64, two bodies of 2 MiB in JSON, and the rest. */
export const sendBytesMax = 24 * 2 ** 20

export const sendEmail = endpoint({
  route: "POST /v1/emails",
  operationId: "sendEmail",
  tag: "Emails",
  summary: "Send an email",
  description: `Accepts one email, to be sent now or at \`scheduledAt\`. The response is sent once the email is durably stored.

Without cc and bcc, each address in \`to\` gets a separate message, listed in \`messages\`. With cc or bcc, all recipients share one message.

One \`top_\` or \`seg_\` id as the only recipient sends to its sendable members, at most 50: contacts who opted in to the topic or are in the segment, are not unsubscribed and not suppressed. Each gets a separate message with the headers for one-click unsubscribe (RFC 8058). With \`topicId\`, the email belongs to that topic, and segment members who are not subscribed to it are excluded. \`POST /v1/projects/{projectId}/segments/preview\` shows beforehand who would be excluded and why. While a segment is being built, the response is 503.

**Idempotency.** A request with an \`idempotencyKey\` that was accepted before returns 201 with the original body and the header \`Idempotent-Replayed: true\`, whatever else its body contains. It uses no quota and never creates a second email. A rejected request does not use up its key. A key stays reserved as long as the email exists. The header \`Idempotency-Key\` is not read: a request that has it and no \`idempotencyKey\` gets the header \`Mailroom-Notice\` with its response.

**Unsubscribing.** Email to a single recipient carries \`List-Unsubscribe\`, and below each body a line with the same link, if it is sent to a topic or segment, has a \`sendTimeCategory\` other than \`transactional\`, or has \`trackingSettings.unsubscribeTracking\`. The link lets the recipient unsubscribe or choose which email to receive. Email with cc or bcc cannot carry it: requesting it with \`unsubscribeTracking\` is 400.

**Topics.** Email with a \`topicId\` is not sent to anyone who is not subscribed to that topic, however it is addressed: such a recipient ends as \`suppressed\` with the reason \`topic_opt_out\` and uses no quota. A contact's own preference decides, or else the topic's \`defaultSubscription\`. An address that is not a contact gets the email unless it has unsubscribed from the topic through a link. The state is checked when the email is accepted and again before it is sent.

**Delivery** is at least once: if the next server's reply is lost, the same bytes with the same Message-ID are sent again, unless the project's policy is to hold.

**Simulator.** \`delivered@\`, \`bounced@\`, \`bounced-later@\`, \`delayed@\`, \`suppressed@\`, \`opened@\`, \`clicked@\` and \`complained@simulator.<service domain>\`, each with an optional label as in \`bounced+a@\`, simulate that outcome without leaving the machine: accepted; refused with 550 5.1.1, which suppresses only the labelled address; accepted and, some seconds later, returned by a bounce, with the same effect; deferred at every attempt (451 4.7.0), so \`delivery_delayed\` after 20 minutes; not sent, like email to a suppressed recipient; accepted and, some seconds later, opened, or opened and its first link followed, or marked as spam by a report of its provider, which suppresses only the labelled address. \`opened@\` and \`clicked@\` turn tracking on for their email, which must have HTML.

**Tracking.** With \`openTracking\` and \`clickTracking\`, in the request or else in the project's settings, the HTML of an email to a single recipient gets a tracking pixel, and its \`http\` and \`https\` links redirect through Mailroom; every other byte stays the same. Links with the attribute \`data-mailroom-no-track\`, unsubscribe links, URLs longer than 2,048 characters, links beyond the first 1,000 targets, and the text body are not changed. Requests by machines (known scanners and robots, Apple's prefetch, HEAD, opens within 2 seconds and clicks within 10 seconds of sending, three links within 2 seconds) are recorded with \`machine: "true"\` and counted separately. The same client and link count once per second, and an email records at most 100 opens and clicks by people and 50 by machines.

Signed-in users pass the project as the query parameter \`projectId\`.`,
  access: allow("emails:send"),
  bucket: buckets.emailSend,
  idempotent: true,
  countsInRun: true,
  body: NewEmail,
  bodyBytesMax: sendBytesMax,
  answers: [201, SentEmail],
  location: "/v1/emails/{id}",
  problems: [
    requestInvalid,
    problems.idempotencyConflict,
    problems.audienceTooLarge,
    problems.audienceEmpty,
    problems.domainNotVerified,
    problems.projectSuspended,
    storageFull,
    problems.sendRateExceeded,
    problems.dailyQuotaExceeded,
    rateLimited,
  ],
  example: {
    body: {
      from: "Acme <hello@acme.example>",
      to: ["ada@lovelace.example"],
      subject: "Your receipt",
      text: "Thank you for your order.",
      idempotencyKey: "receipt-8841",
    },
  },

  async run(scope, { body }, { clock }) {
    const targets = await resolveTargets(scope, body)
    const send = await planSend(scope, body, targets, clock.now())
    const accepted = await accept(scope.project.id, send, scope.request.count).catch((error: unknown) => {
      throw heldOr(error, send.key)
    })
    return accepted.outcome === "accepted" ? answerOf(accepted, targets.audience?.id) : answerAgain(scope, accepted)
  },

  async recover(scope, body) {
    const key = keyOf(body)
    const known = key === null ? undefined : await replayOf(scope, key)
    return known ? answerAgain(scope, known) : null
  },
})

/** A replay repeats the first answer, its audience included, whatever this request names. */
async function answerAgain(scope: Scope, accepted: Accepted): Promise<Reply> {
  const first = "messages" in accepted ? accepted.messages[0] : undefined
  return answerOf(accepted, first && (await findAudienceId(scope, first.id)))
}

function answerOf(accepted: Accepted, audienceId: string | null = null): Reply {
  if (!("messages" in accepted)) throw refusalOf(accepted)
  const headers = accepted.outcome === "replayed" ? { "Idempotent-Replayed": "true" } : undefined
  return new Reply(201, { value: sentEmail(accepted.messages, audienceId), headers })
}

/** The valid idempotency key of a body that may be invalid otherwise. */
export function keyOf(body: unknown): string | null {
  if (typeof body !== "object" || body === null) return null
  return idempotencyKey.safeParse((body as Record<string, unknown>).idempotencyKey).data ?? null
}

async function replayOf(scope: Scope, key: string): Promise<Accepted | undefined> {
  return (await findReplays(scope.project.id, [key])).get(key)
}
