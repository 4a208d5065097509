import { z } from "zod"
import {
  bodyBytesMax,
  bodyFault,
  missingBody,
  presentBody,
  subjectCharsMax,
  subjectFault,
} from "@/lib/emails/message-rules"
import { type TemplateVariable, variableFault, variablesMax, variableTypes } from "@/lib/emails/templates/rules"
import { pageOf } from "@/lib/platform/http/paging"
import { problem } from "@/lib/platform/http/problem"
import { decimalNumber, id, int32, ruledText, timestamp } from "@/lib/platform/schema"

const valueCharsMax = 10_000

/** Of a variable, as the pattern of its name has it. */
const nameCharsMax = 50

const Variable = z
  .strictObject({
    name: z
      .string()
      .regex(/^[A-Za-z0-9_]{1,50}$/, "Must be 1 to 50 letters, digits and underscores.")
      .meta({ maxLength: nameCharsMax }),
    type: z
      .enum(variableTypes)
      .default("string")
      .describe("`number` is decimal text, such as `42` or `-1.5`; `url` is an http, https, mailto or tel URL."),
    fallback: z
      .string()
      .max(valueCharsMax, `Must be at most ${valueCharsMax} characters.`)
      .optional()
      .describe("Used where a send gives no value. Without it, the variable is required."),
  })
  .superRefine(({ type, fallback }, context) => {
    const sentence = fallback === undefined ? null : variableFault(type, fallback)
    if (sentence) context.addIssue({ code: "custom", path: ["fallback"], message: sentence })
  })
  .meta({ id: "TemplateVariable" })

const variables = z
  .array(Variable)
  .max(variablesMax, `At most ${variablesMax}.`)
  .superRefine((all, context) => {
    for (const at of repeatedNames(all))
      context.addIssue({ code: "custom", path: [at, "name"], message: "Another variable has this name." })
  })

function repeatedNames(all: readonly TemplateVariable[]): number[] {
  const seen = new Set<string>()
  return all.flatMap(({ name }, at) => (seen.size === seen.add(name).size ? [at] : []))
}

const name = z.string().trim().min(1, "Must not be empty.").max(100, "Must be at most 100 characters.")
const subject = ruledText(subjectFault, subjectCharsMax)
const body = ruledText(bodyFault, bodyBytesMax)

const placeholders =
  "`{{name}}` is a variable, `{{contact.firstName | there}}` a field or property of the contact with a fallback."

export const NewTemplate = z
  .strictObject({
    name: name.describe("Unique in the project."),
    subject: subject.describe(placeholders),
    html: body
      .transform((text) => presentBody(text))
      .optional()
      .describe("Values are escaped. A placeholder in a tag must be in a quoted attribute."),
    text: body.transform((text) => presentBody(text)).optional(),
    variables: variables.default([]),
  })
  .superRefine((given, context) => {
    const missing = missingBody(given)
    if (missing) context.addIssue({ code: "custom", path: [missing], message: "Give html, text or both." })
  })
  .meta({ id: "CreateTemplateRequest" })

export type NewTemplate = z.output<typeof NewTemplate>

export const TemplateChange = z
  .strictObject({
    name: name.optional(),
    subject: subject.optional(),
    html: body.optional().describe("Empty removes it."),
    text: body.optional().describe("Empty removes it."),
    variables: variables.optional(),
  })
  .meta({ id: "UpdateTemplateRequest" })

const content = {
  subject: z.string(),
  html: z.string().optional(),
  text: z.string().optional(),
  variables: z.array(Variable),
}

export const EmailTemplate = z
  .strictObject({
    id: id("tpl"),
    projectId: id("proj"),
    name: z.string(),
    ...content,
    version: int32.describe("The published version, which sends use; 0 for none yet."),
    isChanged: z.boolean().describe("Whether the template differs from its published version."),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "TemplateResponse" })

export type EmailTemplate = z.output<typeof EmailTemplate>

export const TemplatePage = pageOf(EmailTemplate)

export const TemplateVersion = z
  .strictObject({ version: int32, ...content, createdAt: timestamp.describe("When it was published.") })
  .meta({ id: "TemplateVersionResponse" })

export type TemplateVersion = z.output<typeof TemplateVersion>

export const TemplateVersionPage = pageOf(TemplateVersion)

/** Values of variables by name. Numbers are taken as their decimal text. */
const templateValues = z
  .record(z.string(), z.union([z.string().max(valueCharsMax), decimalNumber]).transform(String))
  .superRefine((values, context) => {
    if (Object.keys(values).length > variablesMax)
      context.addIssue({ code: "custom", message: `At most ${variablesMax} variables.` })
  })
  .meta({ maxProperties: variablesMax, propertyNames: { type: "string", maxLength: nameCharsMax } })

/** Which template an email is made from. */
export const TemplateRef = z
  .strictObject({
    id: z.string().max(64).optional(),
    name: z.string().max(100).optional(),
    variables: templateValues.default({}).describe("A value for each variable without a fallback."),
  })
  .superRefine(({ id: tpl, name: called }, context) => {
    if ((tpl === undefined) === (called === undefined))
      context.addIssue({ code: "custom", path: ["id"], message: "Give the template's id or its name." })
  })
  .meta({ id: "TemplateReference" })

export type TemplateRef = z.output<typeof TemplateRef>

export const TemplatePreviewRequest = z
  .strictObject({
    variables: templateValues.default({}),
    contactId: z.string().max(64).optional().describe("The contact that it is rendered for."),
    published: z.boolean().default(false).describe("Renders the published version, which sends use."),
  })
  .meta({ id: "PreviewTemplateRequest" })

export const TemplatePreview = z
  .strictObject({
    subject: z.string(),
    html: z.string().optional(),
    text: z.string().optional(),
  })
  .meta({ id: "TemplatePreviewResponse" })

export const templateMissing = problem(
  "template.not_found",
  404,
  "Template not found",
  "This project has no such template.",
)
export const templateTaken = problem(
  "template.already_exists",
  409,
  "Template already exists",
  "A template of this project has this name. Choose another name, or change that template.",
)
