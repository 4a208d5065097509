import { cutText } from "@/lib/platform/format"
import type { MimeHeader } from "@/lib/platform/mime/mime-parts"

/** Which of our addresses a mail came to. */
export type Door =
  /** The return path of a delivery. */
  | "return_path"
  /** `fbl@`, where feedback loops report complaints. */
  | "feedback"
  /** The address in List-Unsubscribe. */
  | "unsubscribe"
  /** An address for DMARC or TLS reports. */
  | "reports"
  /** `setup+…`, to which a region's loop test is sent. */
  | "setup"
  /** `postmaster@`, `abuse@`. */
  | "mailbox"
  /** An address of a project's inbound route. */
  | "route"

export type Envelope = {
  door: Door
  /** Empty for the null sender `<>`. */
  mailFrom: string
  /** Our address that it came to. */
  rcptTo: string
}

/** What a mail that came back says, before it is known whose it is. Everything in it was written by strangers. */
export type ReturnedMail =
  | DeliveryStatus
  | Feedback
  | Unsubscribe
  | AttachedReport
  | AutomaticAnswer
  | PersonalMail
  | Unreadable

/** What is known of each mail. Texts are cut and hold no control characters. */
export type MailFacts = {
  /** Address and subject of its header. */
  from: string | null
  subject: string
  messageId: string | null
  /** The message ids that it answers (In-Reply-To, then References), at most ten. */
  inReplyTo: string[]
  fromNull: boolean
  /** By a program, as its header says (RFC 3834). */
  autoSubmitted: boolean
  /** Received fields: more than 50 are a loop (RFC 5321 section 6.3). */
  hops: number
  references: References
}

/** What the mail says about which of our mails it is about. None is proved: `verp`, `ref` and `unsubscribeToken` prove themselves by their keyed hash. */
export type References = {
  /** A local part that looks like a return path of ours (lib/delivery/message/proven-ids.ts), in lower case. */
  verp: string | null
  /** X-Mailroom-Ref of the original. */
  ref: string | null
  /** Message-ID of the original, with its angle brackets. */
  messageId: string | null
  /** Of the link in List-Unsubscribe, 44 characters, else the local part of its address, which begins with `u-`. */
  unsubscribeToken: string | null
}

/** A delivery status notification (RFC 3464), or a bounce that says the same in words. */
export type DeliveryStatus = MailFacts & {
  kind: "delivery_status"
  /** Fields of a message/delivery-status part, or words. */
  form: "fields" | "text"
  reportingMta: string | null
  /** At most 1,000. */
  recipients: ReturnedRecipient[]
}

export type ReturnedAction = "failed" | "delayed" | "delivered" | "relayed" | "expanded"

export type ReturnedRecipient = {
  /** Original-Recipient, else Final-Recipient; null if a text names nobody. */
  address: string | null
  /** Every address that the block gives for the recipient. */
  addresses: string[]
  action: ReturnedAction
  /** The Status field (RFC 3463), as in `5.1.1`. */
  status: string | null
  /** Diagnostic-Code; its type in lower case, `text` where the words of a bounce stand for it, empty if the field names none. */
  diagnostic: { type: string; text: string } | null
  /** The SMTP reply that the last server in the chain gave, if one is quoted. */
  innermostReply: QuotedReply | null
  remoteMta: string | null
}

/** An SMTP reply in somebody else's text. */
export type QuotedReply = {
  code: number
  enhanced: string | null
  /** Without its codes. */
  text: string
  /** What it replied to, where the text says so. */
  phase: "mail" | "rcpt" | "data" | null
}

/** A complaint or another report about one mail by a recipient's provider. */
export type Feedback = MailFacts & {
  kind: "feedback"
  /** RFC 5965, or the mails of Microsoft's Junk Mail Reporting Program, which have no report part. */
  form: "arf" | "jmrp"
  /** RFC 5965 section 7.3, RFC 6430, RFC 6591; `other` for one that is not registered. */
  feedbackType: "abuse" | "fraud" | "virus" | "not_spam" | "opt_out" | "auth_failure" | "other"
  userAgent: string | null
  originalMailFrom: string | null
  /** Original-Rcpt-To, or the recipient that Microsoft adds; redacted ones included (RFC 6590). At most ten. */
  originalRecipients: string[]
  sourceIp: string | null
  reportedDomain: string | null
}

/** A mail that asks to be unsubscribed (RFC 2369), to an address of List-Unsubscribe. */
type Unsubscribe = MailFacts & { kind: "unsubscribe" }

/** A DMARC aggregate or TLS report as it is attached: packed and not yet read. */
export type AttachedReport = MailFacts & {
  kind: "report"
  reportKind: "dmarc" | "tls"
  filename: string | null
  document: Uint8Array
}

/** Out of office, a read receipt, a challenge: counted and dropped. */
type AutomaticAnswer = MailFacts & { kind: "automatic_answer" }

/** Written by a person, as far as its header shows. */
type PersonalMail = MailFacts & { kind: "personal" }

/** Something came back that names neither a recipient nor a reason. */
type Unreadable = MailFacts & { kind: "unreadable"; reason: UnreadableReason }

export type UnreadableReason =
  /** From a mail server, but neither a status nor the original is in it. */
  | "no_status"
  /** A status part without a recipient or an action. */
  | "empty_status"
  /** To an address for reports, without one. */
  | "no_report"
  | "several_reports"

export const noReferences: References = { verp: null, ref: null, messageId: null, unsubscribeToken: null }

/** What the header of one of our mails, as it came back, says about which one it is. */
export function referencesIn(original: MimeHeader): References {
  return {
    verp: verpIn(original.get("return-path")),
    ref: wordOf(original.get("x-mailroom-ref")),
    messageId: messageIdIn(original.get("message-id")),
    unsubscribeToken: unsubscribeTokenIn(original.all("list-unsubscribe").join(" ")),
  }
}

/** Each reference from the first place that has it. */
export function firstReferences(...places: Partial<References>[]): References {
  const first = <K extends keyof References>(name: K) => places.find((place) => place[name])?.[name] ?? null
  return {
    verp: first("verp"),
    ref: first("ref"),
    messageId: first("messageId"),
    unsubscribeToken: first("unsubscribeToken"),
  }
}

/** A local part of the form of our return paths, alone or before an `@`. Whether it is one, its keyed hash says. */
export function verpIn(text: string): string | null {
  return /(?<![\w+.=-])[a-z2-7]{39}(?=@|>|\s|$)/i.exec(text.slice(0, 2_000))?.[0].toLowerCase() ?? null
}

export function messageIdIn(text: string): string | null {
  return /<[^<>\s]{1,990}>/.exec(text)?.[0] ?? null
}

/** At most ten. */
export function messageIdsIn(text: string): string[] {
  return (text.match(/<[^<>\s]{1,990}>/g) ?? []).slice(0, 10)
}

function wordOf(text: string): string | null {
  return text === "" ? null : cutText(text, 200)
}

/** The token of `https://…/u/<token>`, else the local part of `mailto:u-<…>@…`. */
function unsubscribeTokenIn(text: string): string | null {
  const start = text.slice(0, 8_000)
  return (
    /\/u\/([\w-]{44})(?![\w-])/.exec(start)?.[1] ?? /mailto:(u-[a-z2-7]{39})@/i.exec(start)?.[1]?.toLowerCase() ?? null
  )
}
