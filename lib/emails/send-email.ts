import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { accept } from "@/lib/emails/accept"
import { findReplays, type Accepted } from "@/lib/emails/accept-sql"
import { planSend } from "@/lib/emails/admission"
import { meantBy } from "@/lib/emails/audience"
import { findAudienceId } from "@/lib/emails/audience-sql"
import { heldOr, refusalOf, sentEmail } from "@/lib/emails/answers"
import * as problems from "@/lib/emails/problems"
import { idempotencyKey, NewEmail, SentEmail } from "@/lib/emails/schema"
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

One \`top_\` or \`seg_\` id as the only recipient stands for its sendable members, at most 50: who opted in to the topic or is in the segment, is not unsubscribed and not suppressed. Each gets a message of its own, with the headers to unsubscribe by one click (RFC 8058). With \`topicId\` the mail belongs to that topic, and members of a segment who are out of it are left out. \`POST /v1/projects/{projectId}/segments/preview\` says beforehand who would be left out and why. While a segment is being built the answer is 503.

**Idempotency.** A request with an \`idempotencyKey\` that has been accepted before answers 201 with the original body and the header \`Idempotent-Replayed: true\`, whatever the rest of the body says, costs no quota and never makes a second email. A refused request does not use its key up. The claim lives as long as the email.

**Unsubscribing.** Mail to a topic or segment, mail of a \`sendTimeCategory\` other than \`transactional\`, and mail with \`trackingSettings.unsubscribeTracking\` carries, when it goes to a single recipient, \`List-Unsubscribe\` and under each body a line with the same link: to leave, or to choose which mail to get. Mail with cc or bcc cannot carry it: asking for it with \`unsubscribeTracking\` is 400.

**Topics.** Mail with a \`topicId\` goes to nobody who is out of that topic, however it is addressed: such a recipient ends \`suppressed\` with the reason \`topic_opt_out\` and costs no quota. A contact is in or out by its own preference, else by the topic's \`defaultSubscription\`. An address that is no contact gets the mail unless it has left the topic through a link. The state is asked when the mail is accepted and again before it leaves.

**Delivery** is at least once: when the reply of the next server is lost, the same bytes with the same Message-ID are sent again, unless the project's policy is to hold.

**Simulator.** \`delivered@\`, \`bounced@\`, \`delayed@\` and \`suppressed@simulator.<service domain>\`, each with an optional label as in \`bounced+a@\`, take a mail down that path without leaving the machine: accepted; refused with 550 5.1.1, which suppresses the labelled address alone; asked to wait at every try (451 4.7.0), so \`delivery_delayed\` after the third; held back as a suppressed recipient. Names that the simulator does not answer yet (\`opened@\`, \`clicked@\`, \`complained@\`) are refused with 400.

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
    problems.audienceEmpty,
    problems.domainNotVerified,
    problems.projectSuspended,
    problems.sendRateExceeded,
    problems.dailyQuotaExceeded,
  ],

  async run(scope, { body }, { clock }) {
    const meant = await meantBy(scope, body)
    const send = planSend(scope, body, meant, clock.now())
    const accepted = await accept(scope.project.id, send).catch((error: unknown) => {
      throw heldOr(error, send.key)
    })
    return accepted.outcome === "accepted" ? answerOf(accepted, meant.audience?.id) : answerAgain(scope, accepted)
  },

  async recover(scope, body) {
    const key = keyOf(body)
    const known = key === null ? undefined : await replayOf(scope, key)
    return known ? answerAgain(scope, known) : null
  },
})

/** A replay says what the first answer said: to which audience, whatever this request names. */
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
