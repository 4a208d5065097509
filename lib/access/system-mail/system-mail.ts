import type { RecordFault } from "@/lib/explanation/record-words"
import { dayMs, hourMs } from "@/lib/platform/time"
import { regionNames } from "@/lib/regions/regions"
import { type RegionProfile, regionSettings } from "@/lib/regions/settings"
import { type Permission, permissionsOf } from "@/lib/access/permissions"
import { cutText } from "@/lib/platform/format"

/**
 * Queued system mail. A request for a sign-in link is queued for any address; whether it has an account is checked when the
 * email is composed, so that neither the answer nor its timing reveals it.
 */
export type SystemMail =
  /** `find`: instead of a link, the addresses at which the recipient signs in, of all cells. */
  | { kind: "sign-in-link"; to: string; wanted?: string; find?: true }
  | { kind: "password-removed"; to: string }
  | AccountMail
  | { kind: "invite"; to: string; inviteId?: string; organization: string; role: string; inviter: string; url: string }
  | (KeptNotice & { to: string; project: string; url: string })
  | (OperatorNotice & { to: string; url: string })

/** What somebody is told of how they sign in, as a code. */
export type AccountChange =
  | "password-changed"
  | "totp-enabled"
  | "totp-disabled"
  | "recovery-codes-created"
  | "passkey-added"
  | "passkey-removed"
  | "second-factor-reset"

/** When it was done, ISO 8601, and from where unless by a command of the operator. */
export type AccountMail = { kind: "account-changed"; to: string; change: AccountChange; at: string; ip?: string }

/** System mail is retried for this long, then it is undelivered. */
export const retrySystemMailForMs = dayMs
/** Mail without an earlier end expires after this, if no worker has given it up. */
export const systemMailExpiresAfterMs = retrySystemMailForMs + hourMs

/** The relay of system mail: the first region with a mail server. Null while all regions are sandboxes. */
export function systemRelay(): RegionProfile | null {
  const { profiles } = regionSettings()
  return regionNames.map((region) => profiles[region]).find(({ transport }) => transport !== "sandbox") ?? null
}

/** What the sealed content of a queued mail is bound to. */
export function contentPurpose(id: string): string {
  return `system_mails|content|${id}|`
}

/** What who runs the installation is told of, as a code with its facts. */
export type OperatorNotice = AddressBlockedNotice | OperatorWordsNotice

/** A notice in the words of the area that knows of it. */
export type OperatorWordsNotice = { kind: "operator-notice"; title: string; message: string; fix: string }

/** The servers of a destination refuse an address of this installation. */
export type AddressBlockedNotice = {
  kind: "address-blocked"
  address: string
  destination: string
  region: string
  reply: string
}

/** A notification to the owners of an organization about it or one of its projects. Times are ISO 8601. */
export type Notice = WebhookNotice | DomainNotice | RecordsNotice | QuotaNotice | RateNotice | BroadcastNotice

/** What is stored: rows and queued mail of earlier releases hold sentences about a rate. */
export type KeptNotice = Notice | FormerRateNotice

export type WebhookNotice = { kind: "webhook-disabled"; webhook: string; host: string; reason: "gone" | "failing" }

export type DomainNotice = {
  kind: "domain-status"
  domain: string
  status: "degraded" | "failed" | "verified"
  /** Since when records have been missing, and until when email is sent nevertheless. */
  since?: string
  until?: string
  /** What is wrong with each required record; notices of earlier releases have sentences instead. */
  recordFaults?: readonly RecordFault[]
  /** Those sentences. The release before reads them, the next one writes none. */
  faults: readonly string[]
}

/** Records of a verified domain have other values since the installation changed its names; `until`: the old ones count. */
export type RecordsNotice = {
  kind: "records-changed"
  domain: string
  until?: string
  /** Each as a line: name, type, priority and value. */
  records: readonly string[]
}

export type QuotaNotice = {
  kind: "quota-used"
  organization: string
  percent: 80 | 100
  used: number
  daily: number
  /** How high the owners may set the limit. */
  ceiling: number
  resetsAt: string
}

/** A broadcast that stopped itself: how many of its emails bounced or were complained about. */
export type BroadcastNotice = {
  kind: "broadcast-stopped"
  subject: string
  reason: "bounces" | "complaints"
  count: number
  of: number
}

/** A critical rate: how many bounced or were complained about, of how much; `cause` is null if nothing stands out. */
export type RateNotice = {
  kind: "rate-critical"
  rate: "bounces" | "complaints"
  count: number
  of: number
  base: "sent" | "delivered"
  cause: RateCause | null
}

/** Where most of it comes from; `name` is null for a topic that was deleted. */
export type RateCause = { by: "topic" | "tag" | "domain" | "provider"; name: string | null; count: number }

export type FormerRateNotice = { kind: "rate-critical"; title: string; message: string; cause: string; fix: string }

/** What somebody must be allowed to read to see notices of each kind. */
const permissionFor = {
  "webhook-disabled": "webhooks:read",
  "domain-status": "domains:read",
  "records-changed": "domains:read",
  "quota-used": "projects:read",
  "rate-critical": "metrics:read",
  "broadcast-stopped": "emails:read",
} as const satisfies Record<Notice["kind"], Permission>

export const projectNoticeKinds = Object.keys(permissionFor) as (keyof typeof permissionFor)[]

/** The kinds that a member with this role sees. */
export function kindsFor(role: string): Notice["kind"][] {
  const granted = permissionsOf(role)
  return projectNoticeKinds.filter((kind) => granted.includes(permissionFor[kind]))
}

/** Why system mail was given up, as it is stored: a code with its facts. `answer` is what the mail server said. */
type UndeliveredFacts = {
  expired: Record<string, never>
  unwritable_address: Record<string, never>
  refused: { answer: string }
  deferred: { hours: number; answer: string }
  /** Without an answer if it was known to be unreachable. */
  unreachable: { hours: number; answer?: string }
}
type UndeliveredCode = keyof UndeliveredFacts
export type UndeliveredReason = { [C in UndeliveredCode]: { code: C; facts: UndeliveredFacts[C] } }[UndeliveredCode]

const codes: Record<UndeliveredCode, true> = {
  ...{ expired: true, unwritable_address: true, refused: true, deferred: true, unreachable: true },
}

function undeliveredText(reason: UndeliveredReason): string {
  switch (reason.code) {
    case "expired":
      return "It was not delivered in time."
    case "unwritable_address":
      return "The address cannot be written in a message."
    case "refused":
      return `The mail server refused it: ${reason.facts.answer}`
    case "deferred":
      return `The mail server did not accept it for ${reason.facts.hours} hours: ${reason.facts.answer}`
    case "unreachable": {
      const { hours, answer } = reason.facts
      return `The mail server was unreachable for ${hours} hours${answer === undefined ? "." : `: ${answer}`}`
    }
  }
}

/** What a stored reason says; rows of earlier releases hold the sentence, without facts. */
export function storedUndeliveredText(reason: string, facts: unknown): string {
  return Object.hasOwn(codes, reason) && facts ? undeliveredText({ code: reason, facts } as UndeliveredReason) : reason
}

/** A system email in both forms. */
export type SystemEmail = { subject: string; text: string; html: string }

/** What a system email says, before it has a form. */
export type SystemContent = {
  subject: string
  lead: string
  /** What the reader needs to know before the button. */
  paragraphs?: readonly string[]
  action: string
  url: string
  small: readonly string[]
}

/** Mail programs cut longer subjects off. */
export const systemSubjectCharsMax = 69

const nameCharsMax = 60

/** Controls, line ends, and characters without a width, with which text could run backwards or hide. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

/** What someone else has named, on one line and too short for a message of its own. Mail programs make no link of it. */
export function shownName(name: string): string {
  const line = name
    .normalize("NFKC")
    .replace(unseen, " ")
    .replace(/[a-z][a-z0-9+.-]{0,30}:\/{0,9}\S*/gi, (text) => (/:./.test(text) ? "" : text))
    .replace(/@/g, " at ")
    // A dot between letters makes a host name of them.
    .replace(/(?<=[\p{L}\p{N}-])[.。｡](?=[\p{L}\p{N}-])/gu, ". ")
    .replace(/\s+/g, " ")
    .trim()
  return shortened(line) || "(unnamed)"
}

/** The same for a host name, which is shown as it is. */
export function shownHost(host: string): string {
  return shortened(host.replace(unseen, ""))
}

function shortened(line: string): string {
  const characters = [...line]
  return characters.length <= nameCharsMax
    ? line
    : `${characters
        .slice(0, nameCharsMax - 1)
        .join("")
        .trimEnd()}…`
}

/** A subject with a name in it, which is shortened where the subject would be too long. */
export function subjectWith(name: string, words: (name: string) => string): string {
  const line = name.replaceAll(/\s+/g, " ")
  const room = Math.max(8, systemSubjectCharsMax - [...words("")].length)
  return words([...line].length <= room ? line : `${cutText(line, room - 1).trimEnd()}…`)
}

export function emailOf({ subject, lead, paragraphs = [], action, url, small }: SystemContent): SystemEmail {
  const html = (text: string) => `<p style="margin:0 0 24px">${escaped(text)}</p>`
  return {
    subject,
    text: [lead, ...paragraphs, `${action}: ${url}`, ...small].join("\n\n") + "\n",
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:32px 16px;font:16px/1.5 system-ui,sans-serif"><div style="max-width:480px;margin:0 auto;overflow-wrap:anywhere">
${[lead, ...paragraphs].map(html).join("\n")}
<p style="margin:0 0 24px"><a href="${escaped(url)}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#2f5bea;color:#ffffff;text-decoration:none;font-weight:600">${escaped(action)}</a></p>
<p style="margin:0 0 24px;font-size:14px">Or copy this address: ${escaped(url)}</p>
${small.map((sentence) => `<p style="margin:0 0 8px;font-size:14px">${escaped(sentence)}</p>`).join("\n")}
</div></body></html>
`,
  }
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
