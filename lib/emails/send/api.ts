import { z } from "zod"
import { buckets } from "@/lib/access/limits/data"
import { allow } from "@/lib/access/permissions"
import { projectMissing, rateLimited, senderNotAllowed } from "@/lib/access/problems"
import { addressTextMax, parseAddress } from "@/lib/addresses/address"
import { findAudienceId } from "@/lib/emails/data"
import * as problems from "@/lib/emails/schema"
import {
  accept,
  type BatchItem,
  heldOr,
  NewBatch,
  refusalOf,
  SentBatch,
  sentEmail,
  SentEmail,
} from "@/lib/emails/send/accept"
import {
  type Accepted,
  findOptOutWords,
  findReplays,
  findSuppressionReasons,
  topicExists,
  type Send,
} from "@/lib/emails/send/data"
import { composeEmail, planSend, refuseTooLarge, resolveTargets } from "@/lib/emails/send/plan"
import { addressesMax, idempotencyKey, NewEmail } from "@/lib/emails/send/schema"
import { isHeldBySimulator, simulatorFault } from "@/lib/emails/simulator"
import { env } from "@/lib/platform/env/env"
import { asProblem } from "@/lib/platform/http/answer"
import { endpoint, Reply } from "@/lib/platform/http/endpoint"
import { parseBody } from "@/lib/platform/http/perform"
import { cutToBytes, type Problem, problemBounds, problemDocument } from "@/lib/platform/http/problem"
import { requestInvalid, serviceUnavailable } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"
import { decodeId, encodeId } from "@/lib/platform/ids"
import { idText } from "@/lib/platform/schema"
import { createTurns } from "@/lib/platform/jobs/turns"
import { storageFull } from "@/lib/projects/schema"
import { topicOptOut } from "@/lib/topics/rules"

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

**Topics.** Email with a \`topicId\` is not sent to anyone who is not subscribed to that topic, however it is addressed: such a recipient ends as \`suppressed\` with the reason \`topic_opt_out\` and uses no quota. A contact's own preference decides, or else the topic's \`defaultSubscription\`. An address that is not a contact gets the email unless it has unsubscribed from the topic through a link. The state is checked when the email is accepted and again before it is sent. If the topic is deleted before then, nobody gets the email: it ends as \`suppressed\` with the reason \`topic_deleted\`.

**Delivery** is at least once: if the next server's reply is lost, the same bytes with the same Message-ID are sent again, unless the project's policy is to hold.

**Simulator.** \`delivered@\`, \`bounced@\`, \`bounced-later@\`, \`delayed@\`, \`suppressed@\`, \`opened@\`, \`clicked@\` and \`complained@simulator.<service domain>\`, each with an optional label as in \`bounced+a@\`, simulate that outcome without leaving the machine: accepted; refused with 550 5.1.1, which suppresses only the labelled address; accepted and, some seconds later, returned by a bounce, with the same effect; deferred at every attempt (451 4.7.0), so \`delivery_delayed\` after 20 minutes; not sent, like email to a suppressed recipient; accepted and, some seconds later, opened, or opened and its first link followed, or marked as spam by a report of its provider, which suppresses only the labelled address. \`opened@\` and \`clicked@\` turn tracking on for their email, which must have HTML. Any other address of the simulator is 400.

**Tracking.** With \`openTracking\` and \`clickTracking\`, in the request or else in the project's settings, the HTML of an email to a single recipient gets a tracking pixel, and its \`http\` and \`https\` links redirect through Mailroom; every other byte stays the same. Links with the attribute \`data-mailroom-no-track\`, unsubscribe links, URLs longer than 2,048 characters, links beyond the first 1,000 targets, and the text body are not changed. Requests by machines (known scanners and robots, Apple's prefetch, HEAD, opens within 2 seconds and clicks within 10 seconds of sending, three links within 2 seconds) are recorded with \`machine: "true"\` and counted separately. The same client and link count once per second, and an email records at most 100 opens and 100 clicks by people, and 50 of both by machines.

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
    senderNotAllowed,
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
    const send = await planSend(scope, await composeEmail(scope, body), targets, clock.now())
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
function keyOf(body: unknown): string | null {
  if (typeof body !== "object" || body === null) return null
  return idempotencyKey.safeParse((body as Record<string, unknown>).idempotencyKey).data ?? null
}

async function replayOf(scope: Scope, key: string): Promise<Accepted | undefined> {
  return (await findReplays(scope.project.id, [key])).get(key)
}

type Item = z.output<typeof BatchItem>

export const batchSendEmails = endpoint({
  route: "POST /v1/emails/batch",
  operationId: "batchSendEmails",
  tag: "Emails",
  summary: "Send a batch of emails",
  description:
    '1 to 100 items, each accepted or rejected independently, with its result at the same index: a failed item never rolls back another. A failed item carries `status: "rejected"`, `error` (code, colon, detail) and the whole `problem`. An item with several recipients, or a topic or segment, returns its first message. Each item may have its own `idempotencyKey`; the header `Idempotency-Key` is not read.',
  access: allow("emails:send"),
  bucket: buckets.emailBatch,
  idempotent: true,
  strictQuery: true,
  body: NewBatch,
  bodyBytesMax: sendBytesMax,
  checksItemsOf: "items",
  answers: [200, SentBatch],
  problems: [requestInvalid],
  example: {
    body: {
      items: [
        {
          from: "Acme <hello@acme.example>",
          to: ["ada@lovelace.example"],
          subject: "Your receipt",
          text: "Thank you for your order.",
        },
      ],
    },
  },

  async run(scope, { body }, { clock }) {
    const now = clock.now()
    const planned = await planAll(scope, body.items, now)
    const replays = await replaysOf(scope, planned)
    // All sends are in line before the first is served, so that they share one statement.
    const room = problemBounds.documentBytes / planned.length
    const results = planned.map((plan, index) => resultOf(scope, plan, index, { replays, room }))
    const answered = await Promise.all(results)
    // Nothing is accepted, so no id is lost: clients try the whole again.
    const areAllRejected = answered.every(({ status }) => status === "rejected")
    if (areAllRejected && answered.some(({ problem }) => problem?.status === 503))
      throw serviceUnavailable(undefined, { retryAfterSeconds: 1 })
    return { results: answered }
  },
})

type Plan = { key: string | null } & ({ send: Send } | { refused: Problem })

/** Items that are composed at once: a template makes megabytes of each, which are counted before there are more of them. */
const plannedAtOnce = 10

/** A hundred items that are wrong in a thousand places each take a while: others come in between. @throws requestTooLarge */
async function planAll(scope: Scope, items: readonly unknown[], now: Date): Promise<Plan[]> {
  const turn = createTurns()
  const plans: Plan[] = []
  for (let from = 0; from < items.length; from += plannedAtOnce) {
    const group: Promise<Plan>[] = []
    for (const item of items.slice(from, from + plannedAtOnce)) {
      group.push(planOf(scope, item, now))
      await turn()
    }
    plans.push(...(await Promise.all(group)))
    refuseTooLarge(plans.reduce((sum, plan) => sum + ("send" in plan ? plan.send.totalBytes : 0), 0))
  }
  return plans
}

async function planOf(scope: Scope, item: unknown, now: Date): Promise<Plan> {
  const key = keyOf(item)
  try {
    const email = parseBody(NewEmail, item)
    return {
      key,
      send: await planSend(scope, await composeEmail(scope, email), await resolveTargets(scope, email), now),
    }
  } catch (error) {
    return { key, refused: problemOf(scope, error) }
  }
}

/** Whatever fails for one item is its own problem: the others are accepted, and their ids are the answer. */
function problemOf(scope: Scope, error: unknown): Problem {
  return asProblem(error, encodeId("req", scope.request.id), batchSendEmails.route)
}

/** An accepted key replays whatever else its item contains; one query for all refused items. */
async function replaysOf(scope: Scope, planned: readonly Plan[]): Promise<Map<string, Accepted>> {
  const keys = planned.flatMap((plan) => ("refused" in plan && plan.key !== null ? [plan.key] : []))
  return keys.length ? findReplays(scope.project.id, [...new Set(keys)]) : new Map()
}

async function resultOf(
  scope: Scope,
  plan: Plan,
  index: number,
  { replays, room }: { replays: Map<string, Accepted>; room: number },
): Promise<Item> {
  if ("refused" in plan) {
    const replay = plan.key === null ? undefined : replays.get(plan.key)
    return replay ? itemOf(index, replay) : refusedItem(scope, index, plan.refused, room)
  }
  try {
    return itemOf(index, await accept(scope.project.id, plan.send))
  } catch (error) {
    return refusedItem(scope, index, problemOf(scope, heldOr(error, plan.key)), room)
  }
}

function itemOf(index: number, accepted: Accepted): Item {
  if (!("messages" in accepted)) throw refusalOf(accepted)
  const { messages: _all, ...leading } = sentEmail(accepted.messages)
  return { index, ...leading }
}

/** `room`: bytes of the answer that the item may take. `error` repeats the detail of its problem. */
function refusedItem(scope: Scope, index: number, refused: Problem, room: number): Item {
  const about = { baseUrl: env().baseUrl, requestId: encodeId("req", scope.request.id) }
  const document = problemDocument(refused, about, room * 0.7)
  const errors = document.errors?.map(({ pointer, detail }) => ({ pointer: `/items/${index}${pointer}`, detail }))
  const problem = errors ? { ...document, errors } : document
  return {
    index,
    status: "rejected",
    error: `${refused.kind.code}: ${cutToBytes(document.detail ?? "", room * 0.2)}`,
    problem,
  }
}

const RecipientsToCheck = z
  .strictObject({
    addresses: z
      .array(z.string().meta({ maxLength: addressTextMax }))
      .min(1, "Must hold an address.")
      .max(addressesMax),
    topicId: idText("top").optional().describe("The topic that the email would belong to."),
  })
  .meta({ id: "CheckRecipientsRequest" })

const CheckedRecipients = z
  .strictObject({
    data: z.array(
      z.strictObject({
        address: z.string().describe("As in the request."),
        state: z.enum(["sendable", "suppressed", "invalid"]),
        reason: z
          .string()
          .optional()
          .describe(
            "The reason on the suppression list, `topic_opt_out` or `simulator`; or what is wrong with the address.",
          ),
        detail: z.string().optional().describe("For `topic_opt_out`, the topic that the address is not subscribed to."),
      }),
    ),
  })
  .meta({ id: "CheckRecipientsResponse" })

export const checkRecipients = endpoint({
  route: "POST /v1/projects/{projectId}/emails/check-recipients",
  operationId: "checkRecipients",
  tag: "Projects",
  summary: "Check recipients before a send",
  description:
    "What would happen to each address if you sent now, in the order of the request: `sendable`, `suppressed` with the reason, or `invalid` with the error. Nothing is sent, stored or counted.",
  access: allow("emails:send"),
  bucket: null,
  body: RecipientsToCheck,
  checksItemsOf: "addresses",
  answers: [200, CheckedRecipients],
  problems: [requestInvalid, projectMissing],
  additive: true,
  example: { body: { addresses: ["ada@lovelace.example"] } },

  async run(scope, { body }) {
    const read = body.addresses.map((address) => ({ address, parsed: parseAddress(address) }))
    const topicId = body.topicId === undefined ? null : decodeId("top", body.topicId)
    if (body.topicId !== undefined && !(topicId && (await topicExists(scope, topicId)))) {
      const detail = "Names no topic of this project."
      throw requestInvalid(detail, { errors: [{ pointer: "/topicId", detail }] })
    }
    const canonical = read.flatMap(({ parsed }) => (parsed.ok ? parsed.canonical : []))
    const [suppressed, optedOut] = await Promise.all([
      findSuppressionReasons(scope, canonical),
      topicId ? findOptOutWords(scope, topicId, canonical) : new Map<string, string>(),
    ])
    return {
      data: read.map(({ address, parsed }) => {
        if (!parsed.ok) return { address, state: "invalid" as const, reason: parsed.reason }
        const fault = simulatorFault(parsed.canonical)
        if (fault !== null) return { address, state: "invalid" as const, reason: fault }
        const reason = isHeldBySimulator(parsed.canonical) ? "simulator" : suppressed.get(parsed.canonical)
        if (reason !== undefined) return { address, state: "suppressed" as const, reason }
        const detail = optedOut.get(parsed.canonical)
        if (detail !== undefined) return { address, state: "suppressed" as const, reason: topicOptOut, detail }
        return { address, state: "sendable" as const }
      }),
    }
  },
})
