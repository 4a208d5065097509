import { z } from "zod"
import { keyCharsMax, propertyTypes, valueCharsMax } from "@/lib/contact-properties/rules"
import { pageOf } from "@/lib/platform/http/paging"
import { problem } from "@/lib/platform/http/problem"
import { id, int32, timestamp } from "@/lib/platform/schema"

export const ContactProperty = z
  .strictObject({
    id: id("prop"),
    object: z.literal("contact_property").meta({ type: "string" }),
    projectId: id("proj"),
    key: z.string(),
    type: z
      .string()
      .describe(
        "`string`, `number`, `boolean` or `date`. Values are text on the wire: a number as `42` or `-1.5`, a boolean as `true` or `false`, a date as `2026-03-31`.",
      ),
    fallbackValue: z.string().optional().describe("Returned for contacts without a value of their own."),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "ContactPropertyResponse" })

export type ContactProperty = z.output<typeof ContactProperty>

export const ContactPropertyPage = pageOf(ContactProperty)

export const ContactPropertyValues = z
  .strictObject({
    contacts: int32.describe("Contacts whose values were counted."),
    data: z.array(
      z
        .strictObject({ value: z.string(), contacts: int32.describe("Of those counted, the ones with this value.") })
        .meta({ id: "ContactPropertyValueResponse" }),
    ),
  })
  .meta({ id: "ContactPropertyValuesResponse" })

export type ContactPropertyValues = z.output<typeof ContactPropertyValues>

const fallback = z.string().max(valueCharsMax, `Must be at most ${valueCharsMax} characters.`)

export const NewContactProperty = z
  .strictObject({
    key: z
      .string()
      .min(1, "Must not be empty.")
      .max(keyCharsMax, `Must be at most ${keyCharsMax} characters.`)
      .regex(/^[A-Za-z0-9_]+$/, "Must be letters, digits and underscores.")
      .refine((key) => key !== "__proto__", "Must be another word.")
      .describe("Unique in the project, permanent."),
    type: z.enum(propertyTypes).describe("Permanent. `boolean` and `date` are additive."),
    fallbackValue: fallback.optional(),
  })
  .meta({ id: "CreateContactPropertyBody" })

export const ContactPropertyChange = z
  .strictObject({ fallbackValue: fallback.nullable().optional().describe("`null` clears it.") })
  .meta({ id: "UpdateContactPropertyBody" })

export const propertyMissing = problem(
  "property.not_found",
  404,
  "Contact property not found",
  "This project has no such contact property.",
)
export const propertyTaken = problem(
  "property.already_exists",
  409,
  "Contact property already exists",
  "A contact property with this key already exists. Keys and types are permanent: to define it again, delete the property, which also deletes the contacts' values.",
)
