import type { RecordFault } from "@/lib/explanation/record-words"
import { dayMs, hourMs } from "@/lib/platform/time"
import { regionNames } from "@/lib/regions/regions"
import { type RegionProfile, regionSettings } from "@/lib/regions/settings"
import { type Permission, permissionsOf } from "@/lib/access/permissions"

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
