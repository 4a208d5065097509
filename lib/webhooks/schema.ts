import { z } from "zod"
import { formatNumber } from "@/lib/platform/format"
import { contactFieldNames } from "@/lib/contacts/field-rules"
import { pageOf } from "@/lib/platform/http/paging"
import { id, timestamp } from "@/lib/platform/schema"
import { WebhookHealth } from "@/lib/webhooks/health-schema"
import * as rules from "@/lib/webhooks/rules"
import { isSecret, secretForm } from "@/lib/webhooks/secret-rules"

const listMax = 20
const atMost = (count: number) => `Must be at most ${formatNumber(count)} characters.`
const text = z.string().max(1_000, atMost(1_000))
const fieldPath = z
  .string()
  .max(200, atMost(200))
  .refine((path) => path.length > 200 || rules.pathOf(path) !== null, "Must be a dot path such as data.to.")

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
      if (wanted.includes(name) === (given[name] !== undefined)) continue
      const message = wanted.includes(name) ? "Must be given." : `Does not belong to ${given.type}.`
      context.addIssue({ code: "custom", path: [name], message })
    }
  })
  .meta({ id: "WebhookTransformationSerializable" })

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

/** What each additive type carries; ids are public ones, and all values are text. */
const addedFields = [
  `\`contact.created\`: \`contactId\`, \`email\`, ${contactNames}, \`unsubscribed\``,
  `\`contact.updated\`: the same, and in \`changed\` the names of the fields that were changed, separated by commas (${contactNames}, \`imageUrl\`, \`properties\`, \`unsubscribed\`)`,
  "`contact.deleted`: `contactId`, `email`",
  "`domain.created`, `domain.deleted`: `domainId`, `domain`, `region`, `status`",
  "`domain.verified`, `domain.degraded`, `domain.failed`: the same, and `previousStatus`",
  "`suppression.added`, `suppression.removed`: `suppressionId`, `email`, `reason`, and `emailId` if an email caused it",
]

const eventsDescription = `Event types. Those of contacts, domains and suppressions are additive: they are sent only to webhooks that list them, and are recorded in the transaction of the change. Their \`data\`:\n\n${addedFields.map((line) => `- ${line}`).join("\n")}`

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
      .describe("Rotates the secret: deliveries are also signed with the previous one for 24 hours."),
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
