import { env } from "@/lib/platform/env/env"
import type { Region } from "@/lib/platform/env/settings"
import { withinMs } from "@/lib/platform/dns/within"
import type { Io } from "@/lib/platform/io"
import { bimiStatus } from "@/lib/domains/bimi/rules"
import { compareRecords, type Comparison, type Expectation } from "@/lib/domains/check/compare"
import type { Told } from "@/lib/domains/check/notice-rules"
import { leadsToUs } from "@/lib/domains/check/tracking-host"
import { presentable, valid } from "@/lib/domains/check/findings"
import { feedbackHost, reportUri, spfHost, trackingTarget, type RecordKey } from "@/lib/domains/records/records"
import { findHosting, type Hosting } from "@/lib/domains/diagnosis/hosting"
import { registrableDomain } from "@/lib/addresses/registrable"
import {
  componentStatuses,
  nextDomain,
  nextCheckSeconds,
  nextRecord,
  requiredKeys,
  settleRecords,
  type ComponentStatus,
  type ComponentStatuses,
  type DomainState,
  type WatchedRecord,
} from "@/lib/domains/rules"
import { parseTags } from "@/lib/domains/records/tags"

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
  const [comparison, hosting, linksAnswer] = await Promise.all([
    compareRecords(dns, expectationOf(domain)),
    findHosting(dns, domain.name),
    leadsToUs(domain.trackingDomain, dns),
  ])
  return { ...conclude(domain, { ...comparison, linksAnswer }, io.clock.now(), asked), hosting }
}

/** What a comparison means for the domain: pure, given the time. */
export function conclude(
  domain: WatchedDomain,
  { findings, dmarc, linksAnswer = false }: Comparison & { linksAnswer?: boolean | null },
  now: Date,
  asked: boolean,
): Omit<CheckOutcome, "hosting"> {
  const seen = domain.records.map((record) => {
    const wanted = record.key === "dmarc" ? { ...record, ...dmarc.record } : record
    const finding = findings[record.key]
    // A flattened or proxied alias is as good as ours if it leads to us.
    const accepted = record.key === "tracking" && linksAnswer === true ? valid(finding.found) : finding
    return nextRecord(wanted, presentable(accepted), now)
  })
  const active = activeRecord(domain)
  const statuses = requiredKeys(active).map((key) => statusOf(seen, key))
  const state = nextDomain(domain, statuses, now)
  const records = settleRecords(seen, state.status)
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
    checkedAt: now,
    attempt,
    nextCheckSeconds: nextCheckSeconds(state.status, attempt, components.trackingStatus),
    changed,
    keepInHistory: changed || asked,
  }
}

export function expectationOf(domain: WatchedDomain): Expectation {
  const service = env()
  const bimi = domain.records.find(({ key }) => key === "bimi")
  return {
    domain: domain.name,
    organizationalDomain: registrableDomain(domain.name) ?? domain.name,
    ...(domain.zone ? { zone: domain.zone } : {}),
    dkim: { a: published(domain, "dkim-a"), b: published(domain, "dkim-b") },
    mailFromDomain: domain.mailFromDomain,
    feedbackHost: feedbackHost(domain.region, service),
    spfHost: spfHost(domain.region, service),
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
    name: `${key.selector}._domainkey.${domain.name}`,
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

function statusOf(records: WatchedRecord[], key: RecordKey) {
  return records.find((record) => record.key === key)?.status ?? "pending"
}

/** Everything but the time at which it was last heard. */
function differs(after: WatchedRecord[], before: WatchedRecord[]): boolean {
  const visible = (records: WatchedRecord[]) =>
    JSON.stringify(
      records.map(({ key, name, value, status, found, likelyCause }) => [
        key,
        name,
        value,
        status,
        found.toSorted(),
        likelyCause?.code,
      ]),
    )
  return visible(after) !== visible(before)
}
