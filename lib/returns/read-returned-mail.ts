import { attachedReports } from "@/lib/domains/dmarc/unpack"
import {
  bodyOf,
  headerOf,
  type MimePart,
  mimePartsOf,
  partsOf,
  plainWords,
  textOf,
  isMessage,
  type MimeHeader,
} from "@/lib/platform/mime/mime-parts"
import { cutText } from "@/lib/platform/format"
import { notificationOf, recipientsInText, withWordsBeside } from "@/lib/returns/bounce-text"
import { bareAddress, mailboxIn, statusFields, statusPart, flatOf } from "@/lib/returns/delivery-status"
import {
  messageIdIn,
  messageIdsIn,
  noReferences,
  referencesIn,
  type AttachedReport,
  type DeliveryStatus,
  type Envelope,
  type MailFacts,
  type ReturnedMail,
  type UnreadableReason,
  firstReferences,
  verpIn,
  type Feedback,
} from "@/lib/returns/returned-mail"

/**
 * What a mail says that came to one of our addresses. Never throws, and its work is bounded whatever the bytes are. The order
 * matters: a report says itself what it is, and bounces of Postfix carry `Auto-Submitted: auto-replied` as vacation notices do.
 */
export function readReturnedMail(raw: Uint8Array, envelope: Envelope): ReturnedMail {
  const message = mimePartsOf(raw)
  const facts = factsOf(message, envelope)
  if (envelope.door === "reports") {
    const report = attachedReport(message)
    return typeof report === "string" ? { ...facts, kind: "unreadable", reason: report } : { ...facts, ...report }
  }
  const feedback = feedbackReport(message)
  if (feedback) return { ...facts, ...feedback }
  const byServer = facts.fromNull || isByMailServer(facts.from ?? "")
  const status = deliveryStatus(message, facts, byServer)
  if (status) return status
  const complaint = junkMailReport(message, facts.subject)
  if (complaint) return { ...facts, ...complaint }
  if (envelope.door === "unsubscribe" && !facts.fromNull && asksToUnsubscribe(message, facts))
    return { ...facts, kind: "unsubscribe" }
  const bounce = byServer ? bounceInWords(message, facts, envelope) : null
  const isAnswer = isAutomaticAnswer(message, facts.subject)
  // Exchange answers for a mailbox from the null sender, as `auto-generated`, and in the mailbox's language.
  const isByMailbox = facts.autoSubmitted && message.header.has("auto-submitted") && !isByMailServer(facts.from ?? "")
  const isDoubtful = (one: DeliveryStatus) =>
    (isAnswer && !isSure(message, one)) || (isByMailbox && !isLikely(message, one))
  if (bounce && !isDoubtful(bounce)) return bounce
  if (isAnswer || isByMailbox || (facts.autoSubmitted && !byServer)) return { ...facts, kind: "automatic_answer" }
  if (byServer) return { ...facts, kind: "unreadable", reason: hasStatus(message) ? "empty_status" : "no_status" }
  return { ...facts, kind: "personal" }
}

function factsOf(message: MimePart, { mailFrom }: Envelope): MailFacts {
  const { header } = message
  return {
    from: mailboxIn(header.get("from")),
    subject: cutText(flatOf(plainWords(header.get("subject").slice(0, 2_000))), 500),
    messageId: messageIdIn(header.get("message-id")),
    inReplyTo: messageIdsIn(`${header.get("in-reply-to")} ${header.get("references")}`),
    fromNull: mailFrom === "",
    autoSubmitted: isAutomatic(message),
    hops: header.all("received").length,
    references: noReferences,
  }
}

function deliveryStatus(message: MimePart, facts: MailFacts, byServer: boolean): DeliveryStatus | null {
  const part = statusPart(message, byServer)
  if (!part) return null
  const { reportingMta, recipients } = statusFields(part)
  if (recipients.length === 0) return null
  const notification = notificationOf(message)
  const original = originalOf(message) ?? notification.original
  return {
    ...facts,
    references: original ? referencesIn(original) : noReferences,
    kind: "delivery_status",
    form: "fields",
    reportingMta,
    recipients: withWordsBeside(recipients, notification),
  }
}

function hasStatus(message: MimePart): boolean {
  return statusPart(message, true) !== null
}

function bounceInWords(message: MimePart, facts: MailFacts, { rcptTo }: Envelope): DeliveryStatus | null {
  const notification = notificationOf(message)
  // Exim and Google name the recipients in a field of their own.
  const named = message.header
    .all("x-failed-recipients")
    .flatMap((value) => value.split(",", 50).flatMap((one) => bareAddress(one) ?? []))
    .concat(rejectedRecipients(message))
  const own = [rcptTo, facts.from ?? "", mailboxIn(message.header.get("to")) ?? ""]
  const recipients = recipientsInText(notification, named, own)
  if (!recipients) return null
  const references = notification.original ? referencesIn(notification.original) : noReferences
  return { ...facts, references, kind: "delivery_status", form: "text", reportingMta: null, recipients }
}

/** Sieve's reject deletes a mail and says so in a disposition notification (RFC 5429 section 2.1). */
function rejectedRecipients(message: MimePart): string[] {
  const part = partsOf(message).find(({ type }) => type === "message/disposition-notification")
  const fields = part && headerOf(textOf(part, 16 * 1024))
  if (!fields || !/^automatic-action\/[\w-]{1,40}\s{0,9};\s{0,9}deleted\b/i.test(fields.get("disposition"))) return []
  return [bareAddress(fields.get("final-recipient").replace(/^[\w-]{1,40};/, "")) ?? []].flat()
}

/**
 * A mail that says of itself that it answers is a bounce only with more than words for it: a field of mail servers, or the
 * original behind an SMTP reply or from a mail server by its name.
 */
function isSure(message: MimePart, { from, recipients }: DeliveryStatus): boolean {
  if (message.header.has("x-failed-recipients") || rejectedRecipients(message).length > 0) return true
  return (isRefused(recipients) || isByMailServer(from ?? "")) && notificationOf(message).hasOriginal
}

/** What a program wrote that has no name of a mail server is one with an SMTP reply or the original. */
function isLikely(message: MimePart, bounce: DeliveryStatus): boolean {
  return isRefused(bounce.recipients) || notificationOf(message).hasOriginal || isSure(message, bounce)
}

function isRefused(recipients: DeliveryStatus["recipients"]): boolean {
  return recipients.some(({ innermostReply: reply }) => reply !== null && reply.code >= 500)
}

/**
 * In the subject or the first lines, or nothing at all: programs that follow the address write no more. Apple Mail, which follows no link,
 * says of this mail that it is `auto-replied`.
 */
function asksToUnsubscribe(message: MimePart, { subject, autoSubmitted }: MailFacts): boolean {
  if (awaySubject.test(subject)) return false
  const part = partsOf(message).find(({ type, parts }) => type.startsWith("text/") && parts.length === 0)
  const text = part ? textOf(part, 8_000).trim().slice(0, 500) : ""
  const isEmpty = subject === "" && text === "" && !autoSubmitted
  return message.header.has("x-apple-unsubscribe") || asks.test(subject) || asks.test(text) || isEmpty
}

const asks =
  /\bunsubscribe\b|\bremove me\b|\bopt[- ]?out\b|\babmelde\w*|\babbestell\w*|\bd[ée]sinscri\w*|\bd[ée]sabonn\w*|\bcancelar (?:la )?suscripci[oó]n|\bdarme de baja\b|\bdisiscri\w*|\bafmelden\b|\bavregistrer|配信停止|退订|退訂/iu

// Mail for reports

/** Of a mail for reports; what is packed in it is limited where it is unpacked (lib/domains/dmarc/unpack.ts). */
const documentBytesMax = 10 * 2 ** 20

type Reading = Pick<AttachedReport, "kind" | "reportKind" | "filename" | "document">

/** The one report that is attached, or why there is none. */
function attachedReport(message: MimePart): Reading | UnreadableReason {
  const { dmarc, tls } = attachedReports(message)
  const [found, other] = [...dmarc, ...tls]
  if (!found) return "no_report"
  if (other) return "several_reports"
  return {
    kind: "report",
    reportKind: tls.length > 0 ? "tls" : "dmarc",
    filename: found.filename && cutText(found.filename, 255),
    document: bodyOf(found.part, documentBytesMax),
  }
}

// Mail of programs

/** Whether a program wrote it, by the fields that programs set. RFC 3834's own decides where it is; the others are older. */
function isAutomatic(message: MimePart): boolean {
  const submitted = message.header.get("auto-submitted")
  if (submitted !== "") return !/^no\b/i.test(submitted)
  return (
    answersByFields(message) ||
    message.header.has("x-autogenerated") ||
    message.header.has("x-fc-machinegenerated") ||
    /^(?:bulk|junk|list)\b/i.test(message.header.get("precedence"))
  )
}

/** Whether a program answers a mail for somebody: out of office, a read receipt, a challenge. */
function isAutomaticAnswer(message: MimePart, subject: string): boolean {
  return answersByFields(message) || awaySubject.test(subject)
}

function answersByFields(message: MimePart): boolean {
  const { header } = message
  return (
    /^auto-replied\b/i.test(header.get("auto-submitted")) ||
    answerFields.some((name) => header.has(name)) ||
    /^auto[_-]?reply\b/i.test(header.get("precedence")) ||
    partsOf(message).some(({ type }) => type === "message/disposition-notification")
  )
}

const answerFields = [
  "x-autoreply",
  "x-autorespond",
  "x-auto-reply",
  "x-autoresponder",
  "x-autoreply-from",
  "x-mail-autoreply",
  "x-vacation",
]

const awaySubject =
  /^(?:re: ?|aw: ?)?(?:auto(?:matic|mated)? ?(?:-? ?re(?:ply|sponse))\b|auto: |autoreply|out of (?:the )?office|ooo:|vacation|away from|abwesenheits?|automatische antwort|r[ée]ponse automatique|absence|respuesta autom[aá]tica|risposta automatica|resposta autom[aá]tica|automatisch antwoord|autosvar|automatiskt svar|自动回复|自動返信|자동 회신)/iu

/** Whether its sender has one of the names under which mail servers write (RFC 3464 section 2, RFC 2142 section 5). */
function isByMailServer(from: string): boolean {
  return /^(?:mailer[-_.]?daemon|postmaster|mail[-_]?delivery(?:[-_](?:daemon|subsystem|system))?|mail[-_](?:daemon|subsystem|system)|mdaemon|microsoftexchange\w*|bounces?|double-?bounce|uucp|mmdf|mta)@/i.test(
    from,
  )
}

const fieldsBytesMax = 64 * 1024
const recipientsMax = 10

type ReportReading = Omit<Feedback, Exclude<keyof MailFacts, "references">>

/** A report of the Abuse Reporting Format (RFC 5965); only the first of several in one mail. */
function feedbackReport(message: MimePart): ReportReading | null {
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
function junkMailReport(message: MimePart, subject: string): ReportReading | null {
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
function originalOf(message: MimePart): MimeHeader | null {
  return partsOf(message).find(({ type }) => isMessage(type))?.parts[0]?.header ?? null
}

function wordOf(fields: MimeHeader, name: string): string | null {
  const text = flatOf(fields.get(name))
  return text === "" ? null : cutText(text, 320)
}
