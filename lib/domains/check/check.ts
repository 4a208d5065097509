import { type Dns, withinMs } from "@/lib/platform/dns/dns"
import type { Io } from "@/lib/platform/io"
import { bimiStatus } from "@/lib/domains/bimi/rules"
import { compareOne, compareRecords, type Comparison, type Expectation } from "@/lib/domains/check/compare"
import type { DmarcComparison } from "@/lib/domains/check/dmarc"
import type { Told } from "@/lib/domains/check/notice-rules"
import { presentable, valid, type Finding } from "@/lib/domains/check/findings"
import {
  dkimName,
  type DomainNames,
  type KnownNames,
  oldRecordsCountUntil,
  otherHostsSince,
  type RecordKey,
  type RecordStatus,
  reportUri,
  trackingTarget,
  type WatchedRecord,
} from "@/lib/domains/records/records"
import { findHosting, type Hosting } from "@/lib/domains/diagnosis/hosting"
import { registrableDomain } from "@/lib/addresses/registrable"
import {
  componentStatuses,
  isInPlace,
  maySend,
  nextDomain,
  nextCheckSeconds,
  nextRecord,
  requiredKeys,
  settleRecords,
  type ComponentStatus,
  type ComponentStatuses,
  type DomainState,
} from "@/lib/domains/rules"
import { parseTags } from "@/lib/domains/records/dmarc-record"
import type { Region } from "@/lib/regions/regions"
import { randomBytes, timingSafeEqual } from "node:crypto"
import { hmac } from "@/lib/platform/crypto"
import { judgeUrl, outboundGuard } from "@/lib/platform/outbound/target"
import { get } from "@/lib/platform/outbound/request"

export type WatchedDomain = DomainState & {
  id: string
  projectId: string
  name: string
  region: Region
  mailFromDomain: string
  trackingDomain: string
  dmarcStatus: ComponentStatus
  trackingStatus: ComponentStatus
  checkedAt: Date | null
  updatedAt: Date
  /** Checks since the schedule started last. */
  attempt: number
  told: Told
  /** The installation's names for which `records` are. */
  service: DomainNames
  /** Its names as of the last check, and those with which the domain was verified. */
  names: KnownNames
  records: WatchedRecord[]
  /** The zone of the records, once it is known. */
  zone?: string
  reportToken: string
  keys: { id: string; record: "dkim-a" | "dkim-b"; selector: string; publicKey: string; active: boolean }[]
}

export type CheckOutcome = DomainState &
  ComponentStatuses & {
    dmarcStatus: ComponentStatus
    bimiStatus: ComponentStatus
    records: WatchedRecord[]
    names: Pick<KnownNames, "verified" | "changedAt">
    checkedAt: Date
    attempt: number
    nextCheckSeconds: number
    /** Null when the name servers did not respond: the known value is kept. */
    hosting: Hosting | null
    /** Something that people see is different from before. */
    changed: boolean
    /** Whether the check belongs in the domain's history: it found a change, or a person ran it. */
    keepInHistory: boolean
  }

/** For all lookups of one check together, whatever the name servers do. */
export const checkMaxMs = 5000

/** Looks up all records of a domain and decides its next state. The caller saves the outcome. */
export async function checkDomain(domain: WatchedDomain, io: Io, asked: boolean): Promise<CheckOutcome> {
  const dns = withinMs(io.dns, checkMaxMs)
  const [comparison, old, hosting, linksAnswer] = await Promise.all([
    compareRecords(dns, expectationOf(domain)),
    compareOld(dns, domain, io.clock.now()),
    findHosting(dns, domain.name),
    leadsToUs(domain.trackingDomain, dns),
  ])
  return { ...conclude(domain, { ...comparison, old, linksAnswer }, io.clock.now(), asked), hosting }
}

type OldFindings = Partial<Record<RecordKey, Finding>>

/** Whether the records are found that the domain was verified with, as long as these count. */
async function compareOld(dns: Dns, domain: WatchedDomain, now: Date): Promise<OldFindings> {
  const { names, service, status } = domain
  const until = oldRecordsCountUntil(names, service, now)
  if (!names.verified || !until || now >= until || !maySend(status)) return {}
  const old = expectationOf(domain, names.verified)
  const keys = ["mail-from-mx", "mail-from-spf"] as const
  const findings = await Promise.all(keys.map((key) => compareOne(dns, old, key)))
  return Object.fromEntries(keys.map((key, at) => [key, findings[at]]))
}

/** What a comparison means for the domain: pure, given the time. */
function conclude(
  domain: WatchedDomain,
  { findings, dmarc, old = {}, linksAnswer = false }: Comparison & { old?: OldFindings; linksAnswer?: boolean | null },
  now: Date,
  asked: boolean,
): Omit<CheckOutcome, "hosting"> {
  const seen = domain.records.map((record) => {
    const wanted = record.key === "dmarc" ? dmarcRecord(record, dmarc) : record
    const finding = findings[record.key]
    // A flattened or proxied alias is as good as ours if it leads to us.
    const accepted = record.key === "tracking" && linksAnswer === true ? valid(finding.found) : finding
    return withOld(nextRecord(wanted, presentable(accepted), now, domain.checkedAt), record, old[record.key])
  })
  const active = activeRecord(domain)
  const statuses = requiredKeys(active).map((key) => statusOf(seen, key))
  const state = nextDomain(domain, statuses, now)
  const records = settleRecords(seen, state.status)
  const names = nextNames(domain, records, active, now)
  const dmarcStatus = dmarc.status ?? domain.dmarcStatus
  const answers = linksAnswer ?? domain.trackingStatus === "verified"
  const components = componentStatuses(records, active, { linksAnswer: answers })
  const changed =
    state.status !== domain.status ||
    dmarcStatus !== domain.dmarcStatus ||
    components.trackingStatus !== domain.trackingStatus ||
    differs(records, domain.records)
  const attempt = asked || state.status !== domain.status ? 0 : domain.attempt + 1
  return {
    ...state,
    ...components,
    bimiStatus: bimiStatus(records),
    dmarcStatus,
    records,
    names,
    checkedAt: now,
    attempt,
    nextCheckSeconds: nextCheckSeconds(state.status, attempt, components.trackingStatus),
    changed,
    keepInHistory: changed || asked,
  }
}

/**
 * A record for which the value is found that counted before the installation changed its names: in place for a while, with a word on what is
 * new. A name server that does not answer changes nothing.
 */
function withOld(next: WatchedRecord, before: WatchedRecord, old: Finding | undefined): WatchedRecord {
  const { oldFound: _oldFound, oldValue: _oldValue, ...rest } = next
  if (!old || before.oldValue === undefined || (next.status === "verified" && !namesOnly(next, before.oldValue)))
    return rest
  const stays = old.outcome === "valid" || (old.outcome === "unknown" && before.oldFound)
  if (!stays) return rest
  return {
    ...rest,
    status: "pending",
    oldFound: true,
    oldValue: before.oldValue,
    likelyCause: { code: "names-changed", facts: {} },
  }
}

/** An SPF record that names the old list of our addresses alone passes only until the operator deletes that list. */
function namesOnly({ value, found }: WatchedRecord, oldValue: string): boolean {
  const includeOf = (text: string) => /include:(\S+)/i.exec(text)?.[1]?.toLowerCase()
  const [wanted, old] = [includeOf(value), includeOf(oldValue)]
  if (!wanted || !old) return false
  const texts = found.map((text) => `${text.toLowerCase()} `)
  return texts.some((text) => text.includes(`:${old} `)) && !texts.some((text) => text.includes(`:${wanted} `))
}

/** With which names the domain is verified now, and since when the installation has others. */
function nextNames(
  { names, service }: WatchedDomain,
  records: WatchedRecord[],
  active: "dkim-a" | "dkim-b",
  now: Date,
) {
  if (requiredKeys(active).every((key) => records.some((record) => record.key === key && record.status === "verified")))
    return { verified: service, changedAt: null }
  return { verified: names.verified, changedAt: otherHostsSince(names, service, now) }
}

/** The DMARC record to publish after a lookup; the one before if name servers did not answer. */
export function dmarcRecord(record: WatchedRecord, { published: policy, record: recommended }: DmarcComparison) {
  if (policy === null) return record
  return { ...record, policy, name: recommended.name, value: recommended.value ?? "" }
}

/** What the records have to be, for the names of `service`. */
export function expectationOf(domain: WatchedDomain, service = domain.service): Expectation {
  const bimi = domain.records.find(({ key }) => key === "bimi")
  return {
    domain: domain.name,
    organizationalDomain: registrableDomain(domain.name) ?? domain.name,
    ...(domain.zone ? { zone: domain.zone } : {}),
    dkim: { a: published(domain, "dkim-a"), b: published(domain, "dkim-b") },
    mailFromDomain: domain.mailFromDomain,
    feedbackHost: service.mx,
    spfHost: service.spf,
    trackingDomain: domain.trackingDomain,
    trackingTarget: trackingTarget(service),
    reportUri: reportUri(domain.reportToken, service),
    reportDomain: service.reportDomain,
    ...(bimi ? { bimi: { name: bimi.name, value: bimi.value } } : {}),
  }
}

function published(domain: WatchedDomain, record: "dkim-a" | "dkim-b") {
  const key = domain.keys.find((each) => each.record === record)
  if (!key) throw new Error(`A registration without a key for ${record}.`)
  const retired = domain.records.find((each) => each.key === record)?.retired
  return {
    name: dkimName(key.selector, domain.name),
    publicKey: key.publicKey,
    ...(retired ? { retired: { publicKey: publicKeyOf(retired.value), keepUntil: retired.keepUntil } } : {}),
  }
}

/** Of a value as we showed it. */
function publicKeyOf(value: string): string {
  return parseTags(value)?.get("p") ?? ""
}

function activeRecord(domain: WatchedDomain): "dkim-a" | "dkim-b" {
  return domain.keys.find((key) => key.active)?.record ?? "dkim-a"
}

function statusOf(records: WatchedRecord[], key: RecordKey): RecordStatus {
  const record = records.find((each) => each.key === key)
  if (!record) return "pending"
  return isInPlace(record) ? "verified" : record.status
}

/** Everything but the time at which it was last heard. */
function differs(after: WatchedRecord[], before: WatchedRecord[]): boolean {
  const visible = (records: WatchedRecord[]) =>
    JSON.stringify(
      records.map(({ key, name, value, status, found, likelyCause, oldFound }) => [
        key,
        name,
        value,
        status,
        found.toSorted(),
        likelyCause?.code,
        oldFound ?? false,
      ]),
    )
  return visible(after) !== visible(before)
}

/** Where a host of tracked links proves that it leads to this installation; a token follows. */
export const proofPath = "/.well-known/mailroom/"

/** Our answer at that path, which nobody else can give. */
export function hostProof(token: string): string {
  return hmac("tracking-host", token).toString("base64url")
}

const timeoutMs = 4_000
const headers = { "user-agent": "Mailroom-Domain-Check/1.0", accept: "text/plain" }

/**
 * Whether a host leads to us by https with a certificate that is valid for it, whatever its DNS records look like: a provider may
 * flatten or proxy the alias. Null if a failed lookup leaves it open. Never throws.
 */
export async function leadsToUs(host: string, dns: Dns): Promise<boolean | null> {
  const addresses = await dns.addresses(host)
  if (addresses.kind === "error") return null
  if (addresses.kind === "missing") return false
  const token = randomBytes(16).toString("base64url")
  const guard = outboundGuard()
  const target = judgeUrl(`https://${host}${proofPath}${token}`, guard)
  if (!target.ok) return false
  const resolve = async () => addresses.values
  const { signal } = new AbortController()
  try {
    const { status, snippet } = await get({ target, guard, resolve, headers, timeoutMs, signal })
    const expected = Buffer.from(hostProof(token))
    const answer = Buffer.from(snippet.toString("latin1").trim())
    return status === 200 && answer.length === expected.length && timingSafeEqual(answer, expected)
  } catch {
    return false
  }
}
