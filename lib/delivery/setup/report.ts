import { readContext, type SetupProbes, usualProbes, installationFacts, watchDisk } from "@/lib/delivery/setup/context"
import {
  findStoredRows,
  isRow,
  type RowId,
  storeChecks,
  type SetupRowCheck,
  type StoredRow,
  isLoopTestUnseen,
} from "@/lib/delivery/setup/data"
import { findTurnedOn, turnOn, claimSetupCheck } from "@/lib/delivery/regions/data"
import { resumeRefusedFor, tryUnreachable } from "@/lib/delivery/destinations/data"
import { tellOperatorsOf } from "@/lib/delivery/notices/data"
import { setupRows, regionSpf, serviceDmarc, serviceSpf } from "@/lib/delivery/setup/rows"
import {
  isReady,
  shownState,
  type Checked,
  type SetupContext,
  type SetupDeclaration,
  type SetupRegion,
  type SetupSubject,
} from "@/lib/delivery/setup/checks"
import type { SetupKey, SetupReport, SetupRow } from "@/lib/delivery/setup/schema"
import { regionSentence, rowName, setupWords } from "@/lib/delivery/setup/words"
import { createSharedSlots, SlotsBusy } from "@/lib/platform/jobs/slots"
import { present } from "@/lib/platform/schema"
import type { BlockCause } from "@/lib/explanation/codes"
import { type Region, regionNames } from "@/lib/regions/regions"
import { runRepeatedly } from "@/lib/platform/jobs/leases"
import { isIP, isIPv4 } from "node:net"
import { feedbackHost, spfHost, trackingTarget, type ServiceNames } from "@/lib/domains/records/records"
import { txtStrings } from "@/lib/domains/records/zone-file"

/** For all lookups of the checks, and for those of a report without checks: names of regions without addresses of their own. */
const lookupsMs = { check: 8_000, show: 2_000 }

/** One check at a time in a process: it asks servers of others. */
const inPlace = createSharedSlots({ count: 1, perOwner: 1, waitMs: 5_000 })

/**
 * Checks all rows now, within seconds, and keeps what was found.
 * @throws SlotsBusy while another check runs
 */
export function checkSetup(probes: SetupProbes = usualProbes): Promise<SetupReport> {
  return inPlace("setup", async () => {
    const context = await readContext(probes, lookupsMs.check)
    const checks = await Promise.all(
      rowsOf(context).map(async ({ row, subject }) => ({
        id: idOf(row, subject),
        checked: await row.check(context, subject),
      })),
    )
    const { turnedRed, turnedRight } = await storeChecks(checks)
    await resumeAfterRepair(turnedRight)
    const report = await turnedOn(context)
    const isRed = ({ id }: SetupRowCheck) => turnedRed.some((one) => isRow(one, id))
    await tellOfRed(report, checks.filter(isRed))
    return report
  })
}

/** Why a destination refuses an address while the row is wrong. */
const causeOfRow: Partial<Record<SetupKey, BlockCause>> = {
  reverse_name: "reverse_name",
  ehlo_address: "ehlo_name",
}

/** Destinations that refused an address for what is right now are resumed at once, and those beyond a closed port are tried. */
async function resumeAfterRepair(turned: readonly RowId[]): Promise<void> {
  for (const { key, region, address } of turned) {
    const cause = causeOfRow[key]
    const regionName = regionNames.find((name) => name === region)
    if (cause && regionName) await resumeRefusedFor(cause, regionName, address)
    if (key === "outbound_port" && regionName) await tryUnreachable(regionName)
  }
}

/** Tells of required rows that were right and are not any more, once email to others leaves. */
async function tellOfRed({ rows, regions }: SetupReport, turned: readonly SetupRowCheck[]): Promise<void> {
  const isSending = (region?: string) => regions.some((one) => one.sending && (region ?? one.region) === one.region)
  for (const { key, kind, state, region, address } of rows) {
    if (kind !== "required" || state !== "wrong" || !isSending(region)) continue
    const check = turned.find(({ id }) => isRow(id, { key, region: region ?? "", address: address ?? "" }))
    if (!check) continue
    const { code, expected, found } = check.checked
    await tellOperatorsOf({ kind: "setup_row_red", facts: { key, region, address, code, expected, found } })
  }
}

/** The rows after one of them was confirmed, or no longer is. */
export async function setupAfterChange(): Promise<SetupReport> {
  return turnedOn(await readContext(usualProbes, lookupsMs.show))
}

/** Turns the regions on that lack nothing now. */
async function turnedOn(context: SetupContext): Promise<SetupReport> {
  const report = await reportOf(context)
  const complete = report.regions.flatMap(({ region, sending }) =>
    !sending && isReady(report.rows.filter((row) => row.region === undefined || row.region === region)) ? region : [],
  )
  if (complete.length === 0) return report
  await turnOn(complete)
  return reportOf(context)
}

/** The rows as they were checked last. */
export async function lastSetup(): Promise<SetupReport> {
  return reportOf(await readContext(usualProbes, lookupsMs.show))
}

/** Whether the records of the service domain were published when they were checked last: what it signs is believed. */
export async function isServiceDomainReady(): Promise<boolean> {
  const rows = (await lastSetup()).rows.filter(({ key }) => key.startsWith("service_"))
  return rows.length > 0 && isReady(rows)
}

type Row = { row: SetupDeclaration; subject: SetupSubject }

function rowsOf(context: SetupContext): Row[] {
  return setupRows.flatMap((row) => row.subjects(context).map((subject) => ({ row, subject })))
}

function idOf({ key }: SetupDeclaration, { region, source }: SetupSubject): RowId {
  return { key, region: region?.profile.region ?? "", address: source?.address ?? "" }
}

async function reportOf(context: SetupContext): Promise<SetupReport> {
  const host = new URL(context.origin).hostname
  const [installation, stored, on, server] = await Promise.all([
    installationFacts(),
    findStoredRows(),
    findTurnedOn(),
    context.regions.length > 0 ? context.dns.addresses(host) : undefined,
  ])
  const rows = rowsOf(context).map(({ row, subject }) => {
    const id = idOf(row, subject)
    return shownRow(
      row,
      id,
      stored.find((one) => isRow(one, id)),
    )
  })
  const times = rows.flatMap(({ checkedAt, unansweredAt }) => unansweredAt ?? checkedAt ?? [])
  return {
    installation,
    checkedAt: times.toSorted((one, other) => other.getTime() - one.getTime())[0],
    ready: isReady(rows),
    regions: context.regions.map((region) => summaryOf(region, rows, on)),
    rows,
    zoneFile: operatorZoneFile(context, server?.kind === "found" ? server.values : []),
  }
}

const notChecked: Checked = { state: "waiting", code: "not_checked", expected: [], found: [] }

function shownRow(
  { key, kind }: SetupDeclaration,
  { region, address }: RowId,
  stored: StoredRow | undefined,
): SetupRow {
  const { kept, confirmation } = stored ?? { confirmation: null }
  const { state: checked, code, expected, found }: Checked = kept ?? notChecked
  const state = shownState(kind, checked, confirmation !== null)
  return {
    ...{ key, kind, state, code, ...setupWords(key, { state, code, expected, found }, region) },
    ...(region && { region }),
    ...(address && { address }),
    ...(kept && kept.code !== "not_checked" && { checkedAt: kept.checkedAt }),
    unansweredAt: present(kept?.unansweredAt ?? null),
    redSince: present(kept?.redSince ?? null),
    confirmation: present(confirmation),
  }
}

function summaryOf(
  { profile, sources }: SetupRegion,
  all: readonly SetupRow[],
  on: readonly Region[],
): SetupReport["regions"][number] {
  const { region } = profile
  const rows = all.filter((row) => row.region === undefined || row.region === region)
  const red = rows.filter(({ state }) => state === "wrong")
  // Regions of the sandbox have no set-up.
  const transport = profile.transport === "sandbox" ? "smtp" : profile.transport
  const addresses = sources.filter(({ address }) => address !== "").length
  const names = (some: readonly SetupRow[]) => some.map(({ key, address }) => rowName(key, address))
  const lacking = rows.filter(({ kind, state }) => kind === "required" && state !== "ok" && state !== "overridden")
  const facts = { region, transport, addresses, sending: on.includes(region), rows: rows.length }
  const unanswered = rows.filter(({ unansweredAt }) => unansweredAt !== undefined).length
  const told = { ...facts, red: names(red), lacking: names(lacking), unanswered }
  return { ...facts, red: red.length, message: regionSentence(told) }
}

const askedEveryMs = 60_000

/** Checks the rows when they are due, until the signal aborts. Never rejects. */
export function runSetupChecks(signal: AbortSignal): Promise<void> {
  return runRepeatedly({
    name: "set-up checks",
    intervalMs: askedEveryMs,
    restMs: askedEveryMs,
    signal,
    async round() {
      await watchDisk()
      await checkSetupIfDue()
      return false
    },
  })
}

/**
 * Checks the rows of regions that send to others every 30 minutes, in one worker each time, and those of all regions once a loop
 * test has ended: a region that lacked nothing else is turned on by it.
 */
export async function checkSetupIfDue(probes?: SetupProbes): Promise<void> {
  if (!(await claimSetupCheck()) && !(await isLoopTestUnseen())) return
  await checkSetup(probes).catch((error: unknown) => {
    // An operator's check of the same rows is under way.
    if (!(error instanceof SlotsBusy)) throw error
  })
}

/** Seconds; short, so that a fix takes effect within minutes. */
const ttl = 300

/**
 * All records that the operator publishes (RFC 1035 section 5), with the reverse names as comments: those are set elsewhere. The
 * hosts that lead to this server have the addresses of its public origin; where those are not public, the ones that it sends from.
 */
function operatorZoneFile(context: SetupContext, originAddresses: readonly string[]): string {
  const { regions, service, dkim, origin, reach } = context
  const { serviceDomain, reportDomain } = service
  const known = originAddresses.filter((address) => reach(address) !== "refused")
  const sent = regions
    .flatMap(({ sources }) => sources.map(({ address }) => address))
    .filter((address) => address !== "")
  const serverAddresses = known.length > 0 ? known : [...new Set(sent)]
  const originHost = new URL(origin).hostname
  const hosts = regions.map(({ profile }) => feedbackHost(profile.region, service))
  const lines = [
    `; Records of ${serviceDomain}`,
    text(serviceDomain, serviceSpf(regions, service)),
    text(dkim.name, dkim.value),
    text(`_dmarc.${serviceDomain}`, serviceDmarc),
    ...hosts.map((host) => `${serviceDomain}. ${ttl} IN MX 10 ${host}.`),
    ...hosts.map((host) => `${reportDomain}. ${ttl} IN MX 10 ${host}.`),
    text(`*._report._dmarc.${reportDomain}`, "v=DMARC1;"),
    ...(isPublicName(originHost) ? ofOrigin(originHost, trackingTarget(service), serverAddresses) : []),
  ]
  for (const { profile, sources } of regions) {
    const own = sources.filter(({ address }) => address !== "")
    lines.push("", `; ${profile.region}`, ...addresses(feedbackHost(profile.region, service), serverAddresses))
    if (profile.transport === "ses") continue
    if (profile.transport !== "direct") {
      lines.push(`; ${spfHost(profile.region, service)}: TXT with what your relay's documentation says about SPF`)
      continue
    }
    lines.push(text(spfHost(profile.region, service), regionSpf(sources)))
    for (const ehloName of new Set(sources.map((source) => source.ehloName))) {
      const named = own.filter((source) => source.ehloName === ehloName).map(({ address }) => address)
      lines.push(...addresses(ehloName, named), text(ehloName, "v=spf1 a -all"))
    }
    lines.push(...own.map(({ address, ehloName }) => `; at your hoster: reverse DNS of ${address} is ${ehloName}`))
  }
  return [...lines, ""].join("\n")
}

function isPublicName(host: string): boolean {
  return isIP(host) === 0 && host.includes(".") && !host.endsWith(".localhost")
}

/** The dashboard's host, and the one that links of tracked email lead to by the record of their domain. */
function ofOrigin(host: string, trackHost: string, serverAddresses: readonly string[]): string[] {
  const own = addresses(host, serverAddresses)
  return ["", "; the dashboard, and tracked links", ...own, `${trackHost}. ${ttl} IN CNAME ${host}.`]
}

function addresses(name: string, values: readonly string[]): string[] {
  if (values.length === 0) return [`; ${name}: A or AAAA with the address of this server`]
  return values.map((value) => `${name}. ${ttl} IN ${isIPv4(value) ? "A" : "AAAA"} ${value}`)
}

function text(name: string, value: string): string {
  return `${name}. ${ttl} IN TXT ${txtStrings(value)
    .map((piece) => `"${piece}"`)
    .join(" ")}`
}

/** What a Postfix on this machine has to know to be the relay of a region. */
type RelayFacts = {
  region: Region
  service: ServiceNames
  /** Where Postfix takes email, on loopback. Port 25 of the other addresses is for returned mail. */
  relayPort: number
  /** Where Mailroom takes returned mail. */
  inboundPort: number
}

export type RelayConfig = {
  /** The whole of main.cf. */
  mainCf: string
  /** The line of master.cf that takes the place of the one that begins with `smtp inet`. */
  masterCf: string
  /** The name in Postfix's greeting, for which this server's address needs a record and reverse DNS. */
  hostName: string
  /** The line of `.env`. */
  env: string
}

/** Larger than every message that Mailroom composes; Postfix's own limit is 10 MB. */
const messageBytesMax = 40 * 2 ** 20

/** A Postfix that forwards what Mailroom hands it, changes nothing in it, and returns bounces to Mailroom. */
export function relayConfig({ region, service, relayPort, inboundPort }: RelayFacts): RelayConfig {
  const { serviceDomain } = service
  const hostName = `out.${region}.${serviceDomain}`
  const variable = `SMTP_URL_${region.toUpperCase().replaceAll("-", "_")}`
  return {
    mainCf: `compatibility_level = 3.6

# The name in the greeting: it needs an A record, and reverse DNS of this server's address with the same name.
myhostname = ${hostName}
myorigin = ${serviceDomain}

# Email from programs of this server alone, for recipients elsewhere alone.
inet_interfaces = loopback-only
mynetworks = 127.0.0.0/8 [::1]/128
mydestination =
alias_maps =
smtpd_relay_restrictions = permit_mynetworks, reject
# "all" once an IPv6 address of this server has reverse DNS, too.
inet_protocols = ipv4

# What was signed stays as it is.
local_header_rewrite_clients =
append_dot_mydomain = no
message_size_limit = ${messageBytesMax}

# TLS where the recipient's server offers it. With a validating resolver in /etc/resolv.conf:
# smtp_tls_security_level = dane and smtp_dns_support_level = dnssec
smtp_tls_security_level = may

maximal_queue_lifetime = 3d
bounce_queue_lifetime = 3d
delay_warning_time = 1h

# Bounces have an empty sender, and go to Mailroom without a way round. Those of other servers come to
# port 25 of ${feedbackHost(region, service)}.
empty_address_default_transport_maps_lookup_key = <>
sender_dependent_default_transport_maps = inline:{ { <> = smtp:[127.0.0.1]:${inboundPort} } }
`,
    masterCf: `127.0.0.1:${relayPort} inet n - n - - smtpd\n`,
    hostName,
    env: `${variable}=smtp://127.0.0.1:${relayPort}?delivered=dsn`,
  }
}
