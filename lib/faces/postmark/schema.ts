import { z } from "zod"
import {
  addressList,
  addressListCharsMax,
  given,
  refused,
  refuseRepeated,
  templateRef,
  withoutEffect,
  type FaceSend,
  type FieldNames,
} from "@/lib/faces/face"

const addresses = z.string().max(addressListCharsMax)

const common = {
  From: z.string().describe("`from`."),
  To: addresses
    .optional()
    .describe("`to`. Several addresses get a message each, unless there is `Cc` or `Bcc`: then all share one."),
  Cc: addresses.optional().describe("`cc`."),
  Bcc: addresses.optional().describe("`bcc`."),
  ReplyTo: z.string().optional().describe("`replyTo`: one address."),
  Tag: z.string().optional().describe("`tags`, as the value of `tag`."),
  Metadata: z.record(z.string(), z.string()).optional().describe("`metadata`."),
  Headers: z
    .array(z.strictObject({ Name: z.string(), Value: z.string() }))
    .max(100)
    .superRefine((headers, context) =>
      refuseRepeated(
        headers.map(({ Name }, at) => ({ name: Name.toLowerCase(), path: [at, "Name"] })),
        context,
      ),
    )
    .optional()
    .describe("`headers`."),
  Attachments: z
    .array(
      z.strictObject({
        Name: z.string(),
        Content: z.string(),
        ContentType: z.string(),
        ContentID: z.string().nullable().optional(),
        ContentLength: z.number().nullable().optional(),
      }),
    )
    .optional()
    .describe("`attachments`. `ContentLength` has no effect."),
  TrackOpens: z.boolean().optional().describe("`trackingSettings.openTracking`."),
  TrackLinks: z
    .enum(["None", "HtmlOnly", "HtmlAndText"])
    .optional()
    .describe("`trackingSettings.clickTracking`. Links in the text body are never changed; `TextOnly` is refused."),
  MessageStream: z
    .enum(["outbound", "broadcast"])
    .optional()
    .describe(
      "`sendTimeCategory`: `outbound` is `transactional`, `broadcast` is `marketing`. Other names are refused.",
    ),
  InlineCss: withoutEffect(z.boolean(), "styles stay where they are."),
}

export const PostmarkEmail = z.strictObject({
  ...common,
  Subject: z.string().optional().describe("`subject`."),
  HtmlBody: z.string().nullable().optional().describe("`html`."),
  TextBody: z.string().nullable().optional().describe("`text`."),
})

export const PostmarkTemplateEmail = z
  .strictObject({
    ...common,
    TemplateId: z.string().optional().describe("`template.id`, a `tpl_` id."),
    TemplateAlias: z.string().optional().describe("`template.name`."),
    TemplateModel: z
      .record(z.string(), z.unknown())
      .describe("`template.variables`: texts and numbers. Objects and lists are refused."),
    Subject: refused("the template gives the subject."),
  })
  .refine(({ TemplateId, TemplateAlias }) => (TemplateId === undefined) !== (TemplateAlias === undefined), {
    path: ["TemplateAlias"],
    error: "Give TemplateId or TemplateAlias.",
  })

type Given = z.output<typeof PostmarkEmail> | z.output<typeof PostmarkTemplateEmail>

/** The names of our fields. */
export const postmarkNames: FieldNames = {
  ...{ from: "From", to: "To", cc: "Cc", bcc: "Bcc", replyTo: "ReplyTo", subject: "Subject", html: "HtmlBody" },
  ...{ text: "TextBody", tags: "Tag", metadata: "Metadata", headers: "Headers", attachments: "Attachments" },
  template: "Template",
}

const listOf = (text: string | undefined) => (text === undefined ? undefined : addressList(text))

/** The body of `POST /v1/emails`. */
export function fromPostmark(email: Given): FaceSend {
  const { Headers: headers, Attachments: attachments, TrackOpens: opens, TrackLinks: links } = email
  const tracking = given({ openTracking: opens, clickTracking: links === undefined ? undefined : links !== "None" })
  return given({
    from: email.From,
    to: listOf(email.To) ?? [],
    cc: listOf(email.Cc),
    bcc: listOf(email.Bcc),
    replyTo: email.ReplyTo,
    tags: email.Tag ? { tag: email.Tag } : undefined,
    metadata: email.Metadata,
    headers: headers && Object.fromEntries(headers.map(({ Name, Value }) => [Name, Value])),
    attachments: attachments?.map(({ Name, Content, ContentType, ContentID }) => ({
      ...{ filename: Name, content: Content, contentType: ContentType },
      ...(ContentID ? { contentId: ContentID.replace(/^cid:/, ""), disposition: "inline" } : {}),
    })),
    trackingSettings: Object.keys(tracking).length > 0 ? tracking : undefined,
    sendTimeCategory: email.MessageStream === "broadcast" ? "marketing" : undefined,
    ...contentOf(email),
  })
}

function contentOf(email: Given) {
  if (!("TemplateModel" in email)) {
    const { Subject: subject = "", HtmlBody, TextBody } = email as z.output<typeof PostmarkEmail>
    return { subject, html: HtmlBody ?? undefined, text: TextBody ?? undefined }
  }
  const { TemplateId, TemplateAlias, TemplateModel } = email as z.output<typeof PostmarkTemplateEmail>
  const ref = TemplateId === undefined ? { name: TemplateAlias } : templateRef(TemplateId)
  return { template: { ...ref, variables: TemplateModel } }
}

const accepted = {
  To: z.string().optional(),
  Cc: z.string().optional(),
  Bcc: z.string().optional(),
  SubmittedAt: z.string().optional(),
  MessageID: z.string().optional(),
  ErrorCode: z.number(),
  Message: z.string(),
}

/** What became of one email. */
export const PostmarkResult = z.strictObject(accepted)
export type PostmarkResult = z.output<typeof PostmarkResult>
