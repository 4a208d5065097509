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

/** Bodies of sends: 10 MiB of attachments in base64, two bodies of 2 MiB in JSON, and the rest. */
export const sendBytesMax = 24 * 2 ** 20

export const sendEmail = endpoint({
  route: "POST /v1/emails",
  operationId: "sendEmail",
  tag: "Emails",
  summary: "Send an email",
  description: `Accepts one email, now or at \`scheduledAt\`. The answer comes when it is durably stored.

Several addresses in \`to\` without cc and bcc make one message each, listed in \`messages\`. With cc or bcc there is one shared message.

One \`top_\` or \`seg_\` id as the only recipient sends to its sendable members, at most 50: contacts who opted in to the topic or are in the segment, are not unsubscribed and not suppressed. Each gets a message of its own, with the headers for one-click unsubscribe (RFC 8058). With \`topicId\` the email belongs to that topic, and members of a segment who are out of it are excluded. \`POST /v1/projects/{projectId}/segments/preview\` shows beforehand who would be excluded and why. While a segment is being built the answer is 503.

**Idempotency.** A request with an \`idempotencyKey\` that has been accepted before answers 201 with the original body and the header \`Idempotent-Replayed: true\`, whatever else the body contains, costs no quota and never makes a second email. A refused request does not use up its key. The claim lasts as long as the email.

**Unsubscribing.** Mail to a topic or segment, mail of a \`sendTimeCategory\` other than \`transactional\`, and mail with \`trackingSettings.unsubscribeTracking\` carries, when it goes to a single recipient, \`List-Unsubscribe\` and under each body a line with the same link: to leave, or to choose which mail to get. Mail with cc or bcc cannot carry it: asking for it with \`unsubscribeTracking\` is 400.

**Topics.** Email with a \`topicId\` is not sent to anyone who is out of that topic, however it is addressed: such a recipient ends \`suppressed\` with the reason \`topic_opt_out\` and costs no quota. A contact is in or out by its own preference, else by the topic's \`defaultSubscription\`. An address that is no contact gets the mail unless it has left the topic through a link. The state is checked when the email is accepted and again before it is sent.

**Delivery** is at least once: when the reply of the next server is lost, the same bytes with the same Message-ID are sent again, unless the project's policy is to hold.

**Simulator.** \`delivered@\`, \`bounced@\`, \`delayed@\`, \`suppressed@\`, \`opened@\`, \`clicked@\` and \`complained@simulator.<service domain>\`, each with an optional label as in \`bounced+a@\`, take an email down that path without leaving the machine: accepted; refused with 550 5.1.1, which suppresses the labelled address alone; deferred at every attempt (451 4.7.0), so \`delivery_delayed\` after the third; held back as a suppressed recipient; accepted and, some seconds later, opened, or opened and its first link followed, or marked as spam, which suppresses the labelled address alone. \`opened@\` and \`clicked@\` turn tracking on for their email, which needs HTML.

**Tracking.** With \`openTracking\` and \`clickTracking\`, in the request or else in the project's settings, the HTML of email to a single recipient gets an image and its \`http\` and \`https\` links lead through us; every other byte stays. Links with the attribute \`data-mailroom-no-track\`, links to unsubscribe, URLs longer than 2,048 characters and links beyond the first 1,000 targets stay as they are, and so does all text. Requests of machines (known scanners and robots, Apple's prefetch, HEAD, opens within 2 seconds and clicks within 10 seconds of sending, three links within 2 seconds) are recorded with \`machine: "true"\` and counted apart. The same client and link count once a second, and an email records at most 100 opens and clicks of people and 50 of machines.

A signed-in person names the project by the query \`projectId\`.`,
  access: allow("emails:send"),
  bucket: buckets.emailSend,
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
