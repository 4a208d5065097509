import type { DnsRecord, Domain, Retired } from "@/components/domains/queries"
import { conflictOf, dmarcSyntax, cannotSendYet, waitsForInstallation } from "@/lib/domains/rules"
import { useSyncExternalStore } from "react"

export type RecordKey = "dkim-a" | "dkim-b" | "mail-from-mx" | "mail-from-spf" | "dmarc" | "tracking" | "bimi"

/** `standby`: the key for the next rotation, which nothing waits for. */
export type ShownRecord = DnsRecord & {
  key: RecordKey
  standby?: boolean
  retired?: Retired
  /** The domain's own status of what the record is for, where that is more than the record: DMARC and tracking. */
  component?: string | undefined
  /** The old value can be removed, as of the last check. */
  retiredOver?: boolean
}

export type RecordGroup = { title: string; purpose: string; records: ShownRecord[] }

/** Asked for in the form beside a record: short, so that a fix takes effect within minutes. */
export const ttlSeconds = 300

export type HostStyle = "relative" | "absolute"

/** The DKIM key that does not sign. */
export function standbyOf(domain: Pick<Domain, "verificationRecords">): RecordKey | undefined {
  const [, standby] = domain.verificationRecords.dkim
  return standby && dkimKey(standby.name)
}

type Recorded = Pick<Domain, "verificationRecords" | "checkedAt"> &
  Partial<Pick<Domain, "dmarcStatus" | "trackingStatus">>

/** The records to publish in the order in which people paste them, by what they are for. */
export function recordGroups({ verificationRecords, checkedAt, dmarcStatus, trackingStatus }: Recorded): RecordGroup[] {
  const { dkim, mailFromMx, mailFromSpf, dmarcRecommended, dmarcUnreadable, trackingCname, bimi } = verificationRecords
  // Without a value: which policy the owner wants cannot be read.
  const dmarc = dmarcRecommended ?? (dmarcUnreadable && { ...dmarcUnreadable, value: "" })
  const groups: RecordGroup[] = [
    {
      title: "DKIM",
      purpose: "proves that email is yours and unchanged",
      // The active key comes first, whichever of the two selectors it has.
      records: dkim.map((record, index) => ({
        ...record,
        key: dkimKey(record.name),
        standby: index > 0,
        ...(isOver(record.retired, checkedAt) ? { retiredOver: true } : {}),
      })),
    },
    {
      title: "MAIL FROM",
      purpose: "where bounces go, and who may send",
      records: [
        { ...mailFromMx, key: "mail-from-mx" },
        { ...mailFromSpf, key: "mail-from-spf" },
      ],
    },
    {
      title: "DMARC",
      purpose: "recommended: tells receivers what to do with forged email, and where to send reports",
      records: dmarc ? [{ ...dmarc, key: "dmarc", component: dmarcStatus }] : [],
    },
    {
      title: "Tracking",
      purpose: "optional: tracked links and images on your own domain",
      records: trackingCname ? [{ ...trackingCname, key: "tracking", component: trackingStatus }] : [],
    },
    {
      title: "BIMI",
      purpose: "optional: your logo beside your email",
      records: bimi ? [{ ...bimi, key: "bimi" }] : [],
    },
  ]
  return groups.filter(({ records }) => records.length > 0)
}

/** As of the last check instead of now, so that server and browser agree; no check is older than 6 hours. */
function isOver(retired: Retired | undefined, checkedAt: string | undefined): boolean {
  return retired !== undefined && checkedAt !== undefined && Date.parse(retired.keepUntil) <= Date.parse(checkedAt)
}

/** Our selectors end in the letter of their key. */
function dkimKey(name: string): RecordKey {
  return name.split(".")[0]?.endsWith("b") ? "dkim-b" : "dkim-a"
}

/** The name as most DNS forms want it: without the zone; `@` is the zone itself. */
export function relativeHost(name: string, zone: string): string {
  if (name === zone) return "@"
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name
}

export function hostOf(name: string, zone: string, style: HostStyle): string {
  return style === "relative" ? relativeHost(name, zone) : name
}

/** The zone to which forms take hosts as relative. */
export function zoneOf(domain: Pick<Domain, "domain" | "zone">): string {
  return domain.zone ?? domain.domain
}

/** All records as plain text, for a colleague or a ticket: every field of a DNS form on its own line. */
export function recordsAsText(domain: Domain, style: HostStyle): string {
  const zone = zoneOf(domain)
  const intro = style === "relative" ? `Hosts are relative to ${zone}; the TTL` : "The TTL"
  const sections = recordGroups(domain).map(({ title, purpose, records }) => {
    const texts = records.map((record) => recordAsText(record, hostOf(record.name, zone, style)))
    return [`${title} (${purpose})`, ...texts].join("\n\n")
  })
  const warning = waitsForInstallation(domain) ? [cannotSendYet] : []
  return (
    [`DNS records for ${domain.domain}. ${intro} is ${ttlSeconds} seconds.`, ...warning, ...sections].join("\n\n") +
    "\n"
  )
}

function recordAsText(record: ShownRecord, host: string): string {
  const { type, priority, value, standby, retired, retiredOver, status } = record
  const lines = [`Type:     ${type}`, `Host:     ${host}`, `Value:    ${value || dmarcSyntax}`]
  // Whoever gets the text by mail does not see the old value that has to stay.
  const waits = retired !== undefined && !retiredOver && status !== "verified"
  if (waits) lines.push(`Not before ${retired.keepUntil.slice(0, 10)}: leave the old value until then.`)
  const reason = waits ? null : conflictOf(record)
  if (reason !== null) lines.push(`Note:     ${reason}`)
  if (standby) lines.push("Note: standby, for the next key rotation. Sending does not wait for it.")
  if (priority !== undefined) lines.splice(2, 0, `Priority: ${priority}`)
  return lines.join("\n")
}

/** The name in links and pictures, as registered or as proposed. */
export function trackingHost({ verificationRecords, domain }: Domain): string {
  return verificationRecords.trackingCname?.name ?? `links.${domain}`
}

const storageKey = "mailroom.host-style"
const listeners = new Set<() => void>()
let chosen: HostStyle | undefined

/** How hosts are written, remembered in this browser: most people have one DNS provider, whose form wants one way. */
export function useHostStyle(): [HostStyle, (style: HostStyle) => void] {
  return [useSyncExternalStore(subscribe, read, () => "relative"), choose]
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function read(): HostStyle {
  chosen ??= stored()
  return chosen
}

function choose(style: HostStyle) {
  chosen = style
  try {
    localStorage.setItem(storageKey, style)
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  listeners.forEach((tell) => tell())
}

function stored(): HostStyle {
  try {
    return localStorage.getItem(storageKey) === "absolute" ? "absolute" : "relative"
  } catch {
    return "relative"
  }
}
