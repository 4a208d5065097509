import { z } from "zod"
import { propertyTypes, valueCharsMax } from "@/lib/contact-properties/rules"
import { pageOf } from "@/lib/platform/http/paging"
import { problem } from "@/lib/platform/http/problem"
import { id, timestamp } from "@/lib/platform/schema"

export const ContactProperty = z
  .strictObject({
    id: id("prop"),
    object: z.literal("contact_property").meta({ type: "string" }),
    projectId: id("proj"),
    key: z.string(),
    type: z.string().describe("`string` or `number`; values are text on the wire either way."),
    fallbackValue: z.string().optional().describe("Returned for contacts without a value of their own."),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "ContactPropertyResponse" })

export type ContactProperty = z.output<typeof ContactProperty>

export const ContactPropertyPage = pageOf(ContactProperty)

const fallback = z.string().max(valueCharsMax, `Must be at most ${valueCharsMax} characters.`)

export const NewContactProperty = z
  .strictObject({
    key: z
      .string()
      .min(1, "Must not be empty.")
      .max(50, "Must be at most 50 characters.")
      .regex(/^[A-Za-z0-9_]+$/, "Must be letters, digits and underscores.")
      .refine((key) => key !== "__proto__", "Must be another word.")
      .describe("Unique in the project, permanent."),
    type: z.enum(propertyTypes).describe("Permanent."),
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
