import { z } from "zod"
import { contactFieldNames } from "@/lib/contacts/rules"
import { formatNumber } from "@/lib/platform/format"
import { pageOf } from "@/lib/platform/http/paging"
import { problem } from "@/lib/platform/http/problem"
import { id, int32, timestamp } from "@/lib/platform/schema"
import * as rules from "@/lib/webhooks/rules"
import { isSecret, secretForm } from "@/lib/webhooks/secret-rules"

/** More are counted as one more than this. */
export const retryingMax = 1_000

const figures = {
  attempted: int32.describe(
    "Deliveries of the last 24 hours that were attempted; tests are excluded from all figures.",
  ),
  succeeded: int32.describe("Of those, deliveries that the endpoint accepted."),
  recovered: int32.describe("Of those, deliveries accepted on a retry."),
  failed: int32.describe("Of those, deliveries that failed after the last attempt."),
  retrying: int32.describe(`Deliveries that wait for a retry, at most ${retryingMax + 1}.`),
  nextAttemptAt: timestamp.optional().describe("Time of the next of these retries."),
  lastSuccessAt: timestamp.optional().describe("Time of the last success among stored deliveries."),
  lastFailureAt: timestamp.optional().describe("Time of the last failed attempt among stored deliveries."),
}

export const WebhookHealth = z.strictObject(figures).meta({ id: "WebhookHealth" })
export type WebhookHealth = z.output<typeof WebhookHealth>

const Hour = z
  .strictObject({
    hour: timestamp.describe("When the hour begins, in UTC."),
    firstSucceeded: int32.describe("Deliveries of this hour whose first attempt succeeded."),
    firstFailed: int32.describe("Deliveries of this hour whose first attempt failed."),
  })
  .meta({ id: "WebhookHour" })

const Latency = z
  .strictObject({
    sample: int32.describe("Number of deliveries measured."),
    p50Ms: int32.describe("Median response time."),
    p95Ms: int32.describe("Response time of the 95th percentile."),
  })
  .meta({ id: "WebhookLatency" })

export const WebhookHealthDetail = z
  .strictObject({
    ...figures,
    hours: z.array(Hour).describe("The current hour and the 23 before it, oldest first, without gaps."),
    latency: Latency.optional().describe("Latency of the last 1,000 accepted deliveries."),
  })
  .meta({ id: "WebhookHealthResponse" })

const listMax = 20
const atMost = (count: number) => `Must be at most ${formatNumber(count)} characters.`
const text = z.string().max(1_000, atMost(1_000))
const fieldPath = z
  .string()
  .max(200, atMost(200))
  .refine((path) => path.length > 200 || rules.dotPath(path) !== null, "Must be a dot path such as data.to.")

const Filter = z
  .strictObject({
    field: fieldPath.describe("Dot path into the event, such as `data.to` or `type`."),
    operator: z.enum(rules.filterOperators).describe("`neq` is also true if the field is missing."),
    value: text.optional().describe("Omitted for `exists`."),
  })
  .superRefine(({ operator, value }, context) => {
    if (operator !== "exists" && value === undefined)
      context.addIssue({ code: "custom", path: ["value"], message: "Must be given." })
    if (operator === "exists" && value !== undefined)
      context.addIssue({ code: "custom", path: ["value"], message: "Takes no value." })
  })
  .meta({ id: "WebhookFilterSerializable" })

const Transformation = z
  .strictObject({
    type: z.enum(rules.transformationTypes),
    field: fieldPath.optional().describe("The field that is added, removed or computed."),
    from: fieldPath.optional().describe("The field that is renamed."),
    to: fieldPath.optional().describe("Its new path."),
    template: z
      .string()
      .max(2_000, atMost(2_000))
      .optional()
      .describe("The computed text: each `{{path}}` is replaced by the field there."),
    value: text.nullable().optional().describe("The value that is added; may be null."),
  })
  .superRefine((given, context) => {
    const wanted = rules.companions[given.type]
    for (const name of ["field", "from", "to", "template", "value"] as const) {
      const isGiven = given[name] !== undefined && given[name] !== null
      // Without a value, null is added.
      if (wanted.includes(name) === isGiven || (!isGiven && name === "value")) continue
      const message = wanted.includes(name) ? "Must be given." : `Does not belong to ${given.type}.`
      context.addIssue({ code: "custom", path: [name], message })
    }
  })
  .meta({
    id: "WebhookTransformationSerializable",
    examples: [{ type: "add_field", field: "data.source", value: "mailroom" }],
  })

export const filters = z
  .array(Filter)
  .max(listMax, `Must be at most ${listMax}.`)
  .describe("Only events that pass all filters are delivered. Values are compared as text, before the transformations.")
export const transformations = z
  .array(Transformation)
  .max(listMax, `Must be at most ${listMax}.`)
  .describe(
    "Applied in order, after the filters. An event may become 256 KiB large, a value in a template 64 KiB, and all of it may take 20 ms; otherwise the delivery fails and says why.",
  )
/** As they are stored: what no event could pass is refused. */
const fittingTransformations = transformations.refine(
  (given) => !rules.neverFit(given),
  "Must make events of at most 256 KiB, with values of at most 64 KiB in templates.",
)

const resource = {
  id: id("whk"),
  projectId: id("proj"),
  name: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  filters: z.array(Filter).optional(),
  transformations: z.array(Transformation).optional(),
  enabled: z.boolean().describe("Whether new deliveries are attempted."),
  disabledReason: z
    .string()
    .optional()
    .describe("Additive: `paused` by you, `gone` after the endpoint answered 410, `failing` after 5 days of failures."),
  failingSince: timestamp.optional().describe("Additive: the first failed attempt since the last successful one."),
  formerSecretUntil: timestamp
    .optional()
    .describe("Additive: until then, deliveries carry a second signature, made with the previous secret."),
  health: WebhookHealth.optional().describe("Additive: only when webhooks are read."),
  createdAt: timestamp,
  updatedAt: timestamp,
}

export const Webhook = z.strictObject(resource).meta({ id: "WebhookResponse" })

export type Webhook = z.output<typeof Webhook>
export const WebhookPage = pageOf(Webhook)

export const CreatedWebhook = z
  .strictObject({ ...resource, secret: z.string().describe("Shown only once.") })
  .meta({ id: "WebhookCreateResponse" })

const contactNames = contactFieldNames.map((field) => `\`${field}\``).join(", ")

/** What each additive type carries; ids are public ones, and values are text where nothing else is said. */
const addedFields = [
  `\`contact.created\`: \`contactId\`, \`email\`, ${contactNames}, \`unsubscribed\``,
  `\`contact.updated\`: the same, and in \`changed\` the names of the fields that were changed, separated by commas (${contactNames}, \`imageUrl\`, \`properties\`, \`unsubscribed\`)`,
  "`contact.deleted`: `contactId`, `email`",
  "`domain.created`, `domain.deleted`: `domainId`, `domain`, `region`, `status`",
  "`domain.verified`, `domain.degraded`, `domain.failed`: the same, and `previousStatus`",
  "`suppression.added`, `suppression.removed`: `suppressionId`, `email`, `reason`, and `emailId` if an email caused it",
  "`email.received`: an email that came by an inbound route, for the webhook of that route alone: `inboundId`, `routeId`, `to`, `from`, `fromName`, `subject`, `messageId`, `inReplyTo` (the id of your email), `plus`, `text`, `replyText`, `spf`, `dkim`, `dmarc`, `autoSubmitted` (true or false), `size` (octets), `attachments` (`number`, `filename`, `contentType`, `size`, `url`), `url`, `rawUrl`. `text` and `replyText` are left out of an event of more than 256 KiB",
]

const eventsDescription = `Event types. Those of contacts, domains, suppressions and received email are additive: they are sent only to webhooks that list them, and are recorded in the transaction of the change. Their \`data\`:\n\n${addedFields.map((line) => `- ${line}`).join("\n")}`

export const events = z
  .array(z.enum(rules.allEvents))
  .min(1, "Must name at least one event type.")
  .max(100, "Must be at most 100.")
const name = z.string().trim().min(1, "Must not be empty.").max(200, atMost(200))
const url = z.string().min(1, "Must not be empty.").max(2_048, atMost(2_048)).meta({ format: "uri" })
const secret = z
  .string()
  .max(64, secretForm)
  .refine((given) => given.length > 64 || isSecret(given), secretForm)

export const NewWebhook = z
  .strictObject({
    url: url.describe("A public https URL; private networks only if the operator allows them."),
    events: events.describe(eventsDescription),
    name: name.optional().describe("Defaults to the host of the URL."),
    filters: filters.optional(),
    transformations: fittingTransformations.optional(),
    secret: secret
      .optional()
      .describe(
        "24 to 64 printable characters, shown as `whsec_` and their base64, or that form: `whsec_` and the base64 (with padding) of at least 24 bytes. Generated if omitted.",
      ),
  })
  .meta({ id: "CreateWebhookBody" })

export const WebhookChange = z
  .strictObject({
    url: url.optional(),
    events: events.optional().describe("Replaces the list."),
    name: name.optional(),
    filters: filters.optional(),
    transformations: fittingTransformations.optional(),
    secret: secret
      .optional()
      .describe(
        "Rotates the secret: deliveries are also signed with the previous one for 24 hours. As for a new webhook, 24 to 64 printable characters, used as `whsec_` and their base64, or that form.",
      ),
    enabled: z
      .boolean()
      .optional()
      .describe("Whether new deliveries are attempted. Disabling cancels those that are waiting."),
    formerSecretUntil: z
      .null()
      .optional()
      .describe("Additive: null ends a rotation at once; the previous secret is no longer used."),
  })
  .meta({ id: "UpdateWebhookBody" })

export const deliveryStatuses = ["pending", "processing", "success", "failed", "cancelled"] as const

const WebhookAttempt = z
  .strictObject({
    at: timestamp.describe("When it began."),
    durationMs: int32.describe("Until the response, or until the attempt was aborted."),
    statusCode: int32.optional().describe("If the endpoint answered."),
    error: z.string().optional().describe("Why it failed."),
    requestHeaders: z
      .record(z.string(), z.string())
      .optional()
      .describe("Sent with the body; absent if the URL was refused before anything was signed."),
  })
  .meta({ id: "WebhookAttempt" })

export const WebhookDelivery = z
  .strictObject({
    id: id("whd"),
    projectId: id("proj"),
    webhookEndpointId: id("whk"),
    eventId: id("evt").optional().describe("Additive: the `webhook-id` of every attempt, replays included."),
    eventType: z.string(),
    status: z.string().describe("`pending`, `processing`, `success`, `failed` or `cancelled`."),
    attemptCount: int32.describe("Completed attempts."),
    lastStatusCode: int32.optional().describe("Status of the most recent attempt, if the endpoint responded."),
    lastError: z.string().optional().describe("Why the most recent attempt failed."),
    responseBodySnippet: z.string().optional().describe("The beginning of the last response, at most 4 KiB."),
    nextAttemptAt: timestamp.optional().describe("When a pending delivery is attempted next."),
    payload: z
      .string()
      .optional()
      .describe("Additive: the body that is signed and sent; only when a single delivery is read."),
    attempts: z
      .array(WebhookAttempt)
      .optional()
      .describe("Additive: the completed attempts, oldest first; only when a single delivery is read."),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "WebhookDeliveryResponse" })

export type WebhookDelivery = z.output<typeof WebhookDelivery>
export const WebhookDeliveryPage = pageOf(WebhookDelivery)

export const ReplayRange = z
  .strictObject({
    since: timestamp.describe("Deliveries that were created from this time on."),
    until: timestamp.optional().describe("Up to this time; defaults to now."),
    include: z
      .enum(["undelivered", "all"])
      .default("undelivered")
      .describe(
        "`undelivered` replays the events that the endpoint has not accepted yet; `all` replays the others as well.",
      ),
    dryRun: z.boolean().default(false).describe("Only counts what would be replayed."),
  })
  .meta({ id: "WebhookReplayBody" })

export const ReplayedRange = z
  .strictObject({ count: int32.describe("Events that are, or would be, replayed.") })
  .meta({ id: "WebhookReplayResponse" })

export const PreviewedWebhook = z
  .strictObject({
    events: events.describe("The types that the webhook would subscribe to."),
    filters: filters.optional(),
    transformations: transformations.optional(),
  })
  .meta({ id: "WebhookPreviewBody" })

const PreviewedEvent = z
  .strictObject({
    eventId: id("evt"),
    type: z.string(),
    occurredAt: timestamp,
    delivered: z.boolean().describe("Whether the webhook would receive it."),
    failingFilter: int32.optional().describe("The position of the first filter that excludes it, from 0."),
    payload: z.string().describe("The event before the transformations, as the filters see it."),
    body: z.string().describe("What would be signed and sent, byte for byte; empty where `failure` is given."),
    failure: z
      .string()
      .optional()
      .describe("Why the event could not be sent: the transformations make it too large or take too long."),
  })
  .meta({ id: "WebhookPreviewedEvent" })

export const WebhookPreview = z.strictObject({ data: z.array(PreviewedEvent) }).meta({ id: "WebhookPreviewResponse" })

export const webhookMissing = problem(
  "webhook.not_found",
  404,
  "Webhook not found",
  "This project has no such webhook.",
)

export const deliveryMissing = problem(
  "webhook_delivery.not_found",
  404,
  "Webhook delivery not found",
  "This webhook has no such delivery.",
)
