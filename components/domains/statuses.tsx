import type { Domain, DomainItem } from "@/components/domains/queries"
import { recordGroups, type RecordKey, type ShownRecord } from "@/components/domains/records"
import { type Tone, Pill } from "@/components/ui/pill"
import { sandboxOf } from "@/lib/domains/rules"

/** A state in a word, and what it means and what to do about it. */
export type Words = { tone: Tone; word: string; tip: string }

/** The same in the list and on the domain's page. */
export function domainWords({ status, domain, transport }: Stated): Words {
  if (status === "pending" && sandboxOf({ domain, transport }) === "captured") return waitingForInstallation
  return domainStates[status] ?? { tone: "wait", word: status, tip: "" }
}

type Stated = { status: string; domain: string; transport?: string | undefined }

const waitingForInstallation: Words = {
  tone: "warn",
  word: "Waiting for this installation",
  tip: "This installation cannot send yet. Open the domain for the steps.",
}

const domainStates: Record<string, Words> = {
  pending: {
    tone: "warn",
    word: "Pending",
    tip: "Publish the records. We check for them automatically, and this turns green.",
  },
  verified: {
    tone: "good",
    word: "Verified",
    tip: "All required records are in place. You can send from this domain.",
  },
  degraded: {
    tone: "warn",
    word: "Degraded",
    tip: "A required record is missing. You can still send for 72 hours; publish it again before that.",
  },
  failed: {
    tone: "bad",
    word: "Failed",
    tip: "Required records were missing for 72 hours, so you cannot send. Publish them, then select Verify now.",
  },
}

/** `wasVerified`: the domain was verified before, so the record has been there. */
export function recordWords(record: ShownRecord, wasVerified: boolean): Words {
  const special = record.key === "dmarc" ? dmarcWords(record) : record.key === "tracking" ? trackingWords(record) : null
  return special ?? ordinaryWords(record, wasVerified)
}

/** Of the policy that applies; null where only the record itself counts. The record's row and the tile above say the same. */
export function dmarcWords(record: ShownRecord): Words | null {
  const { status, component, likelyCause, value } = record
  if (value === "" || component === "failed")
    return { tone: "warn", word: "Unreadable", tip: "Receivers ignore the current record. See the records below." }
  if (status === "verified") return { tone: "good", word: "Found", tip: "A policy applies, and its reports reach us." }
  if (component !== "verified" || likelyCause?.foundAt) return null
  return {
    tone: "warn",
    word: "Found, no reports",
    tip: "A policy applies. Its reports do not reach us yet: see the record below.",
  }
}

/** Of the host of tracked links, in the same way. */
export function trackingWords({ status, component }: ShownRecord): Words | null {
  if (component === "verified") return { tone: "good", word: "Found", tip: "Links carry your own name." }
  if (status !== "verified") return null
  return {
    tone: "warn",
    word: "No HTTPS yet",
    tip: "The record is published. Links use the host once it answers by https with a valid certificate.",
  }
}

function ordinaryWords(record: ShownRecord, wasVerified: boolean): Words {
  if (record.oldValue !== undefined) return newValue
  if (record.status === "verified") return { tone: "good", word: "Found", tip: "This record is in place." }
  if (record.status === "failed") {
    return {
      tone: "bad",
      word: "Missing",
      tip: "It was not in place for 72 hours. Publish it as shown, then select Verify now.",
    }
  }
  if (record.retiredOver) {
    return {
      tone: "warn",
      word: "Replace",
      tip: "The old key is no longer needed. Publish the new value in its place; until then the key cannot be rotated again.",
    }
  }
  if (record.retired) {
    return {
      tone: "warn",
      word: "Not yet",
      tip: "The next key. It blocks nothing, and waits until the old one can be removed.",
    }
  }
  if (isAsExpected(record)) {
    return {
      tone: "good",
      word: "Found",
      tip: "The record is in place. The note below its value says what is still missing.",
    }
  }
  if (isWrong(record)) {
    return {
      tone: "warn",
      word: record.likelyCause?.foundAt ? "Wrong host" : "Wrong value",
      tip: "A different record was found. The note below its value says what to change.",
    }
  }
  if (wasVerified && isNeeded(record)) {
    return { tone: "warn", word: "Missing", tip: "It was in place and is no longer found. Publish it again." }
  }
  return {
    tone: "wait",
    word: "Not found",
    tip: "New records show up within minutes, sometimes within hours. We keep checking.",
  }
}

/** A record was found at the name, or at a similar one, and it is not the expected one. */
export function isDifferent({
  status,
  value,
  found,
  likelyCause,
}: Pick<ShownRecord, "status" | "value" | "found" | "likelyCause">): boolean {
  return status !== "verified" && (likelyCause !== undefined || (found ?? []).some((text) => text !== value))
}

/** The same, unless only a wildcard answers at the name: then the owner has published nothing there. */
export function isWrong(record: ShownRecord): boolean {
  return isDifferent(record) && record.likelyCause?.code !== "wildcard"
}

export const newValue: Words = {
  tone: "warn",
  word: "New value",
  tip: "This installation has a new name or sends in another way. The old value is still published and counts for now; replace it with the value shown.",
}

/** The record itself is right; what keeps it from being verified lies elsewhere. */
export function isAsExpected({ value, found, likelyCause }: Pick<ShownRecord, "value" | "found" | "likelyCause">) {
  return likelyCause !== undefined && !likelyCause.foundAt && found?.length === 1 && found[0] === value
}

/** The needed records that are not in place, as the page calls them. */
export function lacking(domain: Domain): string[] {
  const records = recordGroups(domain).flatMap((group) => group.records)
  return records.filter((record) => isNeeded(record) && record.status !== "verified").map(shownTitle)
}

const recordTitles: Record<RecordKey, string> = {
  "dkim-a": "DKIM key",
  "dkim-b": "DKIM key",
  "mail-from-mx": "MAIL FROM MX",
  "mail-from-spf": "MAIL FROM SPF",
  dmarc: "DMARC",
  tracking: "Tracking host",
  bimi: "BIMI",
}

/** The record as its row is called: which of the two DKIM keys signs matters more than its letter. */
export function shownTitle({ key, standby }: Pick<ShownRecord, "key" | "standby">): string {
  return standby ? "DKIM standby key" : recordTitles[key]
}

/** The same where only the key of the record is known; `standby` is that of the standby key. */
export function recordTitle(record: string, standby: string | undefined): string {
  return isKnown(record) ? shownTitle({ key: record, standby: record === standby }) : record
}

const isKnown = (record: string): record is RecordKey => record in recordTitles

/** What each record is for, in its row. */
export function recordPurpose({ key, standby }: Pick<ShownRecord, "key" | "standby">): string {
  return standby ? "For the next rotation" : purposes[key]
}

const purposes: Record<RecordKey, string> = {
  "dkim-a": "Signs your mail",
  "dkim-b": "Signs your mail",
  "mail-from-mx": "Bounces come back to us",
  "mail-from-spf": "Says we may send for you",
  dmarc: "Reports on forged mail",
  tracking: "Links on your own name",
  bimi: "Your logo beside your mail",
}

/** Records without which a domain is not verified; the standby key is none of them. */
export function isNeeded({ key, standby }: Pick<ShownRecord, "key" | "standby">): boolean {
  return !standby && key !== "dmarc" && key !== "tracking" && key !== "bimi"
}

type Component = "dkim" | "mailFrom" | "dmarc" | "tracking"

/** The state of a component in the list, where single records are not known. */
export function componentWords(component: Component, item: DomainItem): Words {
  const status = statusIn(component, item)
  if (status === "verified") return { tone: "good", word: "Found", tip: "The records are in place." }
  if (component === "dmarc" && status === "failed") {
    return {
      tone: "warn",
      word: "Unreadable",
      tip: "Receivers ignore the current record. Open the domain to see why.",
    }
  }
  if (status === "failed")
    return { tone: "bad", word: "Missing", tip: "Not found for 72 hours. Open the domain to see what to publish." }
  if (component === "dmarc")
    return { tone: "wait", word: "None", tip: "No policy applies yet. Recommended, not required to send." }
  if (component === "tracking") {
    const begun = status === "pending"
    return begun
      ? {
          tone: "warn",
          word: "No HTTPS yet",
          tip: "Links use it once its host answers by https with a valid certificate.",
        }
      : { tone: "wait", word: "None", tip: "Optional: links carry the name of this service." }
  }
  if (item.status === "degraded")
    return { tone: "warn", word: "Missing", tip: "It was in place and is no longer found." }
  return { tone: "wait", word: "Not found", tip: "We keep checking." }
}

function statusIn(component: Component, item: DomainItem): string | undefined {
  if (component === "dkim") return item.dkimStatus
  if (component === "mailFrom") return item.mailFromStatus
  return component === "dmarc" ? item.dmarcStatus : item.trackingStatus
}

/** The state of the logo's record, in the list and on the domain's page. */
export function bimiWords(status: string): Words {
  return states[status] ?? { tone: "wait", word: status, tip: "" }
}

const states: Record<string, Words> = {
  not_configured: { tone: "wait", word: "No logo", tip: "Optional: mail programs show your logo beside your email." },
  pending: {
    tone: "warn",
    word: "Not yet",
    tip: "The record is not found yet. Publish it as the domain's page shows it.",
  },
  verified: { tone: "good", word: "Published", tip: "The record names this logo." },
  failed: {
    tone: "bad",
    word: "Different",
    tip: "A different record was found. Replace it with the value on the domain's page.",
  },
}

/** A state in a word, with what it means and what to do about it on hover. */
export function DomainStatusPill({ words, inTable = false }: { words: Words; inTable?: boolean }) {
  return (
    <Pill tone={words.tone} tip={words.tip || undefined} inTable={inTable}>
      {words.word}
    </Pill>
  )
}
