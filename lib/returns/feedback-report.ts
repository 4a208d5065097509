import { cutText } from "@/lib/platform/text"
import { headerOf, isMessage, partsOf, textOf, type MimeHeader, type MimePart } from "@/lib/platform/mime/mime-parts"
import { bareAddress } from "@/lib/returns/delivery-status"
import { flatOf } from "@/lib/returns/quoted-reply"
import { firstReferences, messageIdIn, referencesIn, verpIn } from "@/lib/returns/references"
import type { Feedback, MailFacts } from "@/lib/returns/returned-mail"

const fieldsBytesMax = 64 * 1024
const recipientsMax = 10

type Reading = Omit<Feedback, Exclude<keyof MailFacts, "references">>

/** A report of the Abuse Reporting Format (RFC 5965); only the first of several in one mail. */
export function feedbackReport(message: MimePart): Reading | null {
  const part = partsOf(message).find(({ type }) => type === "message/feedback-report")
  if (!part) return null
  const fields = headerOf(textOf(part, fieldsBytesMax).replace(/^\s+/, ""))
  const mailFrom = wordOf(fields, "original-mail-from")
  const original = originalOf(message)
  return {
    kind: "feedback",
    form: "arf",
    feedbackType: typeOf(fields.get("feedback-type")),
    userAgent: wordOf(fields, "user-agent"),
    originalMailFrom: mailFrom && bareAddress(mailFrom),
    originalRecipients: fields
      .all("original-rcpt-to")
      .flatMap((value) => bareAddress(value) ?? [])
      .slice(0, recipientsMax),
    sourceIp: wordOf(fields, "source-ip"),
    reportedDomain: wordOf(fields, "reported-domain"),
    references: firstReferences(
      { verp: verpIn(mailFrom ?? "") },
      original ? referencesIn(original) : {},
      // RFC 6591 lets a report about authentication name the original without attaching it.
      { messageId: messageIdIn(fields.get("original-envelope-id")) },
    ),
  }
}

/** RFC 5965 section 7.3, RFC 6430 and RFC 6591; opt-out is of the draft, and still sent. */
function typeOf(value: string): Feedback["feedbackType"] {
  const word = /^[\w-]{1,40}/.exec(value.trim())?.[0].toLowerCase().replaceAll("-", "_") ?? ""
  return feedbackTypes.get(word) ?? "other"
}

const feedbackTypes = new Map<string, Feedback["feedbackType"]>([
  ["abuse", "abuse"],
  ["fraud", "fraud"],
  ["virus", "virus"],
  ["not_spam", "not_spam"],
  ["opt_out", "opt_out"],
  ["opt_out_list", "opt_out"],
  ["auth_failure", "auth_failure"],
])

/**
 * A report of Microsoft's Junk Mail Reporting Program: no report part, a subject with the address of our server, and the original
 * with the recipient in a field of Microsoft's.
 */
export function junkMailReport(message: MimePart, subject: string): Reading | null {
  const sourceIp = /^complaint about message from ([\da-f.:]{2,45})\s*$/i.exec(subject)?.[1]
  const original = originalOf(message)
  if (message.type !== "multipart/mixed" || !sourceIp || !original) return null
  const recipient = bareAddress(original.get("x-hmxmroriginalrecipient"))
  if (!recipient) return null
  return {
    kind: "feedback",
    form: "jmrp",
    feedbackType: "abuse",
    userAgent: null,
    originalMailFrom: bareAddress(original.get("return-path")),
    originalRecipients: [recipient],
    sourceIp,
    reportedDomain: null,
    references: referencesIn(original),
  }
}

/** The header of the mail that is attached, whole or its header alone. */
export function originalOf(message: MimePart): MimeHeader | null {
  return partsOf(message).find(({ type }) => isMessage(type))?.parts[0]?.header ?? null
}

function wordOf(fields: MimeHeader, name: string): string | null {
  const text = flatOf(fields.get(name))
  return text === "" ? null : cutText(text, 320)
}
