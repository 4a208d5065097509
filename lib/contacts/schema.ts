import { z } from "zod"
import { addressTextMax } from "@/lib/addresses/address"
import { keyCharsMax, propertiesMax, valueCharsMax } from "@/lib/contact-properties/rules"
import { contactFields, eachField, validationStatuses } from "@/lib/contacts/rules"
import { CursorInfo, PageInfo } from "@/lib/platform/http/paging"
import { problem } from "@/lib/platform/http/problem"
import { id, idText, int32, timestamp } from "@/lib/platform/schema"
import { TopicPreference, TopicSubscription } from "@/lib/topics/schema"

const object = <Name extends string>(name: Name) => z.literal(name).meta({ type: "string" })

export const Contact = z
  .strictObject({
    id: id("con"),
    object: object("contact"),
    projectId: id("proj"),
    email: z.string().describe("Lower case, its domain in ASCII."),
    ...eachField(() => z.string().optional()),
    profileImageUrl: z.string().optional(),
    properties: z
      .record(z.string(), z.string())
      .describe("Values by key; the property's fallback if the contact has no value."),
    ownProperties: z
      .array(z.string())
      .optional()
      .describe(
        "Additive, only when a single contact is read: keys whose value is the contact's own, not the fallback.",
      ),
    segments: z.array(id("seg")),
    topics: z
      .array(TopicSubscription)
      .describe("The contact's own preferences; topics without one follow their default."),
    unsubscribed: z.boolean().describe("The global state: `true` suppresses all email."),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "ContactResponse" })

export type Contact = z.output<typeof Contact>

export const ContactPage = z
  .strictObject({
    data: z.array(Contact),
    page: PageInfo,
    cursor: CursorInfo.optional().describe("Additive: pass either cursor as `after` to read the next rows."),
  })
  .meta({ id: "Page_ContactResponse" })

const noControl = /^[^\x00-\x1f\x7f-\x9f\u2028\u2029]*$/
const text = (charsMax: number) =>
  z
    .string()
    .max(charsMax, `Must be at most ${charsMax} characters.`)
    .regex(noControl, "Must not contain control characters.")
/** Of these properties a project has no more; each value is judged by the type of its property. */
const propertyLimits = {
  maxProperties: propertiesMax,
  propertyNames: { type: "string", minLength: 1, maxLength: keyCharsMax },
} as const
const valueLimit = { type: "string", maxLength: valueCharsMax } as const

const properties = z
  .record(z.string(), z.string())
  .meta({ ...propertyLimits, additionalProperties: valueLimit })
  .describe("Values as text, by the keys of declared properties; at most 50 KB.")

const SegmentRef = z.strictObject({ id: idText("seg") }).meta({ id: "SegmentRef" })

const givenFields = {
  email: z.email({ pattern: /^/ }).meta({ maxLength: addressTextMax }).describe("Unique in the project, permanent."),
  ...eachField((field) => text(contactFields[field].charsMax).optional()),
  properties: properties.default({}),
  segments: z.array(SegmentRef).max(500).default([]).describe("Segments to add the contact to."),
  topics: z.array(TopicPreference).max(500).default([]).describe("The contact's own preferences."),
}

export const NewContact = z
  .strictObject({ ...givenFields, unsubscribed: z.boolean().default(false).describe("Suppresses all email.") })
  .meta({ id: "CreateContactBody" })

export const ContactUpsert = z
  .strictObject({ ...givenFields, unsubscribed: z.boolean().optional().describe("Unchanged if omitted.") })
  .meta({ id: "UpsertContactBody" })

export const ContactChange = z
  .strictObject({
    ...eachField((field) => text(contactFields[field].charsMax).nullable().optional().describe("`null` clears it.")),
    properties: properties.optional().describe("Replaces the whole map."),
    propertyChanges: z
      .record(z.string(), z.string().nullable())
      .meta({ ...propertyLimits, additionalProperties: { anyOf: [valueLimit, { type: "null" }] } })
      .optional()
      .describe(
        "Additive: sets these values, clears those that are `null`, and leaves all others unchanged. Cannot be combined with `properties`.",
      ),
    unsubscribed: z.boolean().optional().describe("Unchanged if omitted."),
  })
  .meta({ id: "UpdateContactBody" })

export const AddToSegment = z.strictObject({ segmentId: idText("seg") }).meta({ id: "AddToSegmentBody" })

export const PreferenceChange = z
  .strictObject({ topics: z.array(TopicPreference).max(500) })
  .meta({ id: "UpdateTopicsBody" })

const SegmentContact = z
  .strictObject({
    contactId: id("con"),
    email: z.string(),
    segments: z.array(id("seg")),
    firstName: z.string().optional(),
    lastName: z.string().optional(),
  })
  .meta({ id: "SegmentContactResponse" })

export type SegmentContact = z.output<typeof SegmentContact>

export const SegmentContactPage = z
  .strictObject({ cursor: CursorInfo, data: z.array(SegmentContact) })
  .meta({ id: "CursorPage_SegmentContactResponse" })

export const Activity = z
  .strictObject({
    id: id("evt"),
    object: object("activity"),
    type: z
      .string()
      .describe(
        "`email_sent`, `email_delivered`, `email_opened`, `email_clicked`, `email_bounced`, `email_complained`, `contact_created`, `segment_added`, `segment_removed`, `topic_subscribed`, `topic_unsubscribed`, `suppression_added` or `suppression_removed`.",
      ),
    occurredAt: timestamp,
    referenceId: z
      .string()
      .optional()
      .describe("Id of the email, segment, topic or suppression, which may have been deleted."),
    referenceName: z.string().optional().describe("Its subject, name or reason."),
    metadata: z
      .strictObject({ topicId: id("top").optional() })
      .meta({ id: "ActivityMetadataResponse" })
      .optional(),
  })
  .meta({ id: "ActivityResponse" })

export type Activity = z.output<typeof Activity>

export const EngagementScore = z
  .strictObject({
    object: object("engagement_score"),
    score: int32.describe("0 to 100, of the last 90 days."),
    tier: z.string().describe("`new`, `cold`, `cool`, `warm` or `hot`."),
    scoredAt: timestamp,
  })
  .meta({ id: "EngagementScoreResponse" })

export type EngagementScore = z.output<typeof EngagementScore>

export const EmailValidation = z
  .strictObject({
    object: object("email_validation"),
    status: z.string().describe("`valid`, `risky`, `invalid` or `unknown`."),
    reason: z.string().optional(),
    validatedAt: timestamp.optional(),
  })
  .meta({ id: "EmailValidationStatusResponse" })

export type EmailValidation = z.output<typeof EmailValidation>

export const ValidationRecord = z
  .strictObject({ status: z.enum(validationStatuses), reason: text(500).optional() })
  .meta({ id: "RecordValidationBody" })

export const contactMissing = problem(
  "contact.not_found",
  404,
  "Contact not found",
  "This project has no such contact.",
)
export const contactTaken = problem(
  "contact.already_exists",
  409,
  "Contact already exists",
  "The project already has a contact with this address; case is ignored. Update that contact, or use `PUT` on the collection, which creates or updates.",
)
