import { shownEventData } from "@/lib/explanation/words"
import { encodeId, idTime } from "@/lib/platform/ids"
import { log } from "@/lib/platform/log"
import {
  allEvents,
  eventText,
  firstFailing,
  ShapingFailed,
  startWork,
  transformed,
  type EventFilter,
  type Payload,
  type ShapingFault,
  type TimeBudget,
  type Transformation,
  type WebhookEvent,
} from "@/lib/webhooks/rules"
import { z } from "zod"
import { contactFieldNames } from "@/lib/contacts/rules"
import type { EventOfWebhooks } from "@/lib/platform/http/openapi"
import { id, timestamp } from "@/lib/platform/schema"

/** What a webhook needs of a dispatched event. */
export type SourceEvent = {
  id: string
  projectId: string
  emailId: string | null
  type: string
  data: Record<string, string>
  occurredAt: Date
}

const types: ReadonlySet<string> = new Set(allEvents)

/** The type under which webhooks subscribe to an event; null for one that they cannot. Events of emails are stored without `email.`. */
export function webhookTypeOf({ type }: Pick<SourceEvent, "type">): WebhookEvent | null {
  const name = type.includes(".") ? type : `email.${type}`
  return isWebhookEvent(name) ? name : null
}

function isWebhookEvent(name: string): name is WebhookEvent {
  return types.has(name)
}

/** The event as webhooks receive it, before their transformations. */
export function payloadOf(event: SourceEvent, type: WebhookEvent): Payload {
  const { id, projectId, emailId, data, occurredAt } = event
  const head: WebhookEventHead = {
    id: encodeId("evt", id),
    type,
    timestamp: occurredAt.toISOString(),
    createdAt: new Date(idTime(id)).toISOString(),
    projectId: encodeId("proj", projectId),
  }
  const fields = {
    ...withPublicIds(shownEventData(data), type),
    ...(emailId && { emailId: encodeId("email", emailId) }),
  }
  return { ...head, data: fields }
}

const idFields = { contactId: "con", domainId: "dom", suppressionId: "sup", emailId: "email" } as const

/** What the database writes of itself has its own ids; events of emails have public ones already. */
function withPublicIds(data: Record<string, string>, type: WebhookEvent): Record<string, string> {
  if (type.startsWith("email.")) return data
  const encoded = Object.entries(idFields).flatMap(([field, prefix]) =>
    data[field] === undefined ? [] : [[field, encodeId(prefix, data[field])]],
  )
  return { ...data, ...(Object.fromEntries(encoded) as Record<string, string>) }
}

export type Shaping = {
  filters?: EventFilter[] | null | undefined
  transformations?: Transformation[] | null | undefined
}

/**
 * What a webhook makes of an event: the filter that leaves it out (-1 for none), and the body that is signed and sent. The
 * work is bounded in time and size; `fault` says that it was given up.
 */
export type Shaped = { failing: number; body: string; fault?: ShapingFault }

export function shaped(payload: Payload, { filters, transformations }: Shaping, begin = startWork): Shaped {
  try {
    return shapedOnce(payload, filters ?? [], transformations ?? [], begin)
  } catch (error) {
    if (error instanceof ShapingFailed) return { failing: -1, body: "", fault: error.fault }
    // Whatever else goes wrong with one event must not hold up those behind it.
    log.error({ err: error }, "an event could not be shaped for a webhook")
    return { failing: -1, body: "", fault: "shaping_failed" }
  }
}

/** A pause of the process, such as a collection of garbage, must not count against a webhook: what was too slow is tried again. */
function shapedOnce(
  payload: Payload,
  filters: EventFilter[],
  transformations: Transformation[],
  begin: () => TimeBudget,
  again = true,
): Shaped {
  const work = begin()
  try {
    const failing = firstFailing(filters, payload, work)
    // What a webhook leaves as it is needs no counting.
    if (!transformations.length) return { failing, body: JSON.stringify(payload) }
    return { failing, body: eventText(transformed(transformations, payload, work), work) }
  } catch (error) {
    if (!again || !(error instanceof ShapingFailed) || error.fault !== "shaping_too_slow") throw error
    return shapedOnce(payload, filters, transformations, begin, false)
  }
}

/** What a test sends: an event that happened to no email. */
export function testPayload({ eventId, projectId, now }: { eventId: string; projectId: string; now: Date }): Payload {
  const head: WebhookEventHead = {
    id: encodeId("evt", eventId),
    type: "webhook.test",
    timestamp: now.toISOString(),
    createdAt: now.toISOString(),
    projectId: encodeId("proj", projectId),
  }
  return { ...head, data: { message: "This is a test of your webhook." } }
}

const text = z.string()
const email = text.meta({ examples: ["ada@lovelace.example"] })
const flag = (meaning: string) => z.literal("true").optional().describe(`\`true\` ${meaning}; otherwise left out.`)

/** What every event of an email says. */
const ofEmail = {
  emailId: id("email"),
  to: text
    .describe("The recipient; of an email that failed before its recipients were told apart, all of them, with commas.")
    .meta({ examples: ["ada@lovelace.example"] }),
  subject: text
    .optional()
    .describe("Left out if it is empty.")
    .meta({ examples: ["Your order"] }),
  simulator: flag("if the recipient is an address of the simulator"),
}

const diagnostic = text
  .describe("The reply of the mail server.")
  .meta({ examples: ["550 5.1.1 The mailbox does not exist."] })
const reported = flag("if a mail that came back says so")
const reader = {
  userAgent: text
    .optional()
    .describe("Of the client that asked for the image or link.")
    .meta({ examples: ["Mozilla/5.0"] }),
  machine: flag("for a scanner or a prefetch"),
  proxied: flag("for the image proxy of a mailbox provider, which a person may be behind"),
}
const reasonCode = text.optional().describe("A code for why, with its facts in further fields.")
const reason = text.optional().describe("Why, as a sentence.")

const contactFields = Object.fromEntries(contactFieldNames.map((field) => [field, text.optional()]))
const ofContact = { contactId: id("con"), email }
const wholeContact = {
  ...ofContact,
  ...contactFields,
  unsubscribed: text.describe("`true` or `false`.").meta({ examples: ["false"] }),
}
const ofDomain = {
  domainId: id("dom"),
  domain: text.meta({ examples: ["shop.example"] }),
  region: text.meta({ examples: ["eu-west-1"] }),
  status: text.describe("`pending`, `verified`, `degraded` or `failed`.").meta({ examples: ["verified"] }),
}
const changedDomain = { ...ofDomain, previousStatus: text.meta({ examples: ["pending"] }) }
const ofSuppression = {
  suppressionId: id("sup"),
  email,
  reason: text.describe("`bounce`, `complaint`, `manual` or `unsubscribe`.").meta({ examples: ["bounce"] }),
  emailId: id("email").optional().describe("The email that caused it."),
}

const verdict = text.optional().describe("`pass`, `fail` and so on, as it was checked when the email came.")
const octets = z.int().nonnegative()
const receivedAttachment = z.strictObject({
  number: z.int().describe("Its place among the attachments."),
  filename: text.optional(),
  contentType: text.meta({ examples: ["application/pdf"] }),
  size: octets,
  url: text.meta({ format: "uri" }),
})

type Described = { summary: string; data: z.ZodRawShape; open?: true }

/** What each event means, and its `data`, in which all values are text but in `email.received`. `open` data has further facts of its reason. */
const described: Record<WebhookEvent, Described> = {
  "email.sent": {
    summary: "A mail server accepted the email",
    data: {
      ...ofEmail,
      deliveryReported: z
        .literal("false")
        .optional()
        .describe("`false` if nothing will report the delivery; otherwise left out."),
    },
  },
  "email.delivered": {
    summary: "The recipient's mail server accepted the email",
    data: { ...ofEmail, reported },
  },
  "email.bounced": {
    summary: "The recipient's mail server rejected the email for good",
    data: {
      ...ofEmail,
      bounceType: text
        .describe("`hard`, `soft`, `block`, `content` or `ours` (something that the sender has to fix).")
        .meta({ examples: ["hard"] }),
      bounceCode: text
        .optional()
        .describe("The enhanced status code, or the reply code.")
        .meta({ examples: ["5.1.1"] }),
      diagnostic: diagnostic.optional(),
      reported,
    },
  },
  "email.complained": { summary: "The recipient marked the email as spam", data: ofEmail },
  "email.opened": { summary: "The images of the email were loaded", data: { ...ofEmail, ...reader } },
  "email.clicked": {
    summary: "A link of the email was followed",
    data: { ...ofEmail, url: text.meta({ examples: ["https://shop.example/orders/7"] }), ...reader },
  },
  "email.failed": {
    summary: "The email was given up",
    data: { ...ofEmail, diagnostic: diagnostic.optional(), reasonCode, reason },
    open: true,
  },
  "email.rejected": { summary: "The email was refused before it was sent", data: { ...ofEmail, reason } },
  "email.delivery_delayed": {
    summary: "The email has had no outcome for 20 minutes; retries continue",
    data: { ...ofEmail, diagnostic: diagnostic.optional(), reasonCode, reason },
    open: true,
  },
  "email.suppressed": {
    summary: "Nothing was sent to a recipient who is suppressed or left the topic, or whose topic was deleted",
    data: {
      ...ofEmail,
      reason: text
        .describe("`bounce`, `complaint`, `manual`, `unsubscribe`, `topic_opt_out`, `topic_deleted` or `simulator`.")
        .meta({ examples: ["bounce"] }),
    },
  },
  "email.unsubscribed": {
    summary: "The recipient unsubscribed",
    data: {
      ...ofEmail,
      method: text.describe("`one-click`, `page` or `email`.").meta({ examples: ["one-click"] }),
      topicId: id("top").optional().describe("The topic that they left; left out if they left all email."),
    },
  },
  "email.read_engaged": {
    summary: "The recipient read the email for a while",
    data: { ...ofEmail, readTimeSeconds: text.meta({ examples: ["14"] }) },
  },
  "email.received": {
    summary: "An email came in by an inbound route",
    data: {
      inboundId: id("inb"),
      routeId: id("inr").optional(),
      inReplyTo: id("email").optional().describe("Your email that it answers."),
      to: email,
      from: email,
      fromName: text.optional(),
      subject: text.optional().meta({ examples: ["Re: Your order"] }),
      messageId: text.optional(),
      plus: text.optional().describe("What the address has after `+`."),
      text: text.optional().describe("Left out of an event of more than 256 KiB."),
      replyText: text.optional().describe("The text without what it quotes; left out with `text`."),
      spf: verdict,
      dkim: verdict,
      dmarc: verdict,
      autoSubmitted: z.boolean().describe("Whether a program answered."),
      size: octets.describe("Of the whole email, in octets."),
      attachments: z.array(receivedAttachment),
      url: text.meta({ format: "uri" }),
      rawUrl: text.meta({ format: "uri" }),
    },
  },
  "webhook.test": {
    summary: "You sent a test",
    data: { message: text.meta({ examples: ["This is a test of your webhook."] }) },
  },
  "contact.created": { summary: "A contact was added", data: wholeContact },
  "contact.updated": {
    summary: "Fields of a contact changed",
    data: {
      ...wholeContact,
      changed: text.describe("The fields that changed, separated by commas.").meta({ examples: ["firstName,phone"] }),
    },
  },
  "contact.deleted": { summary: "A contact was deleted", data: ofContact },
  "domain.created": { summary: "A domain was added", data: ofDomain },
  "domain.verified": { summary: "A domain was verified", data: changedDomain },
  "domain.degraded": { summary: "Records of a verified domain are missing", data: changedDomain },
  "domain.failed": { summary: "A domain cannot send", data: changedDomain },
  "domain.deleted": { summary: "A domain was deleted", data: ofDomain },
  "suppression.added": { summary: "An address was suppressed", data: ofSuppression },
  "suppression.removed": { summary: "An address was removed from the suppression list", data: ofSuppression },
}

/** What every webhook call has in its body around `data`. */
const head = {
  id: id("evt").describe("The same for each attempt and replay: the `webhook-id` of the call."),
  timestamp: timestamp.describe("When it happened."),
  createdAt: timestamp.describe("When it was recorded."),
  projectId: id("proj"),
}

/** The head of the body of a call on the wire, which the sender fills in. */
type WebhookEventHead = { [Name in keyof typeof head]: z.input<(typeof head)[Name]> } & { type: WebhookEvent }

/** The body of a webhook call of each type, before the webhook's own transformations. */
export const webhookEventSchemas: readonly EventOfWebhooks[] = Object.entries(described).map(
  ([type, { summary, data, open }]) => {
    const shape = { id: head.id, type: z.literal(type), timestamp: head.timestamp, createdAt: head.createdAt }
    const body = { ...shape, projectId: head.projectId, data: open ? z.looseObject(data) : z.strictObject(data) }
    return { type, summary, schema: z.strictObject(body).meta({ id: `${nameOf(type)}Event` }) }
  },
)

/** `email.delivery_delayed` is the component `EmailDeliveryDelayedEvent`. */
function nameOf(type: string): string {
  return type.replaceAll(/(?:^|[._])(\w)/g, (_, first: string) => first.toUpperCase())
}
