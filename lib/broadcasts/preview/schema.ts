import { z } from "zod"
import { contentFields, entries } from "@/lib/broadcasts/content-schema"
import { checkPlaceholders, NewBroadcast } from "@/lib/broadcasts/schema"
import { NewEmail } from "@/lib/emails/send/schema"
import { TemplateRef } from "@/lib/emails/templates/schema"
import { id, int32 } from "@/lib/platform/schema"

/** People whose values are looked at, and those of them who are named to choose from. */
export const peopleMax = 2_000
export const namedMax = 20

const whom = {
  contactId: z
    .string()
    .max(64)
    .optional()
    .describe("The contact that it is rendered for. By default, the first person who would get it."),
  asSent: z
    .boolean()
    .default(true)
    .describe("Whether with what is added on sending: tracked links and images, and the link to unsubscribe."),
}

const { html, text, topicId, trackingSettings } = contentFields

export const BroadcastPreviewRequest = z
  .strictObject({
    to: entries,
    from: NewEmail.shape.from.optional().describe("Its domain may have a host of its own for tracked links."),
    ...{ html, text, topicId, trackingSettings },
    subject: NewEmail.shape.subject,
    template: TemplateRef.optional(),
    placeholders: NewBroadcast.shape.placeholders,
    ...whom,
  })
  .superRefine(checkPlaceholders)
  .meta({ id: "PreviewBroadcastRequest" })

export const StoredPreviewRequest = z.strictObject(whom).meta({ id: "PreviewStoredBroadcastRequest" })

const person = z.strictObject({ contactId: id("con").optional(), email: z.string() }).meta({ id: "BroadcastPerson" })

export const BroadcastPreview = z
  .strictObject({
    person: person.optional().describe("For whom it is rendered. Absent if nobody would get it."),
    subject: z.string(),
    html: z.string().optional(),
    text: z.string().optional(),
    people: z.array(person).describe(`The first people who would get it, up to ${namedMax}.`),
    sendable: int32.describe(`Of the first ${peopleMax} people, those who would get it.`),
    complete: z.boolean().describe("Whether these are all people."),
    lacking: z
      .array(
        z
          .strictObject({ key: z.string().describe("Field or property of the contact."), count: int32 })
          .meta({ id: "BroadcastLackingValues" }),
      )
      .describe("How many of `sendable` see nothing in a place without a fallback, because they have no value."),
  })
  .meta({ id: "BroadcastPreviewResponse" })
export type BroadcastPreview = z.output<typeof BroadcastPreview>
