import { listAddresses } from "@/lib/delivery/egress/data"
import { findReturnRoutes } from "@/lib/delivery/regions/return-route-store"
import { lastSesEventAt, findQueueLength, databaseVersions } from "@/lib/delivery/setup/data"
import { submissionSettings } from "@/lib/delivery/smtp/submission-settings"
import type { SetupContext, SetupRegion } from "@/lib/delivery/setup/checks"
import { serviceKey, serviceKeyName, serviceKeyRecord } from "@/lib/domains/keys/data"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { systemResolvers, withinMs, type Dns } from "@/lib/platform/dns/dns"
import { createStub } from "@/lib/platform/dns/stub"
import { env } from "@/lib/platform/env/env"
import { createReach } from "@/lib/platform/networks"
import { installationDns } from "@/lib/regions/io"
import { regionNames } from "@/lib/regions/regions"
import { regionSettings, nextHopOf } from "@/lib/regions/settings"
import { existsSync } from "node:fs"
import type { Installation } from "@/lib/delivery/setup/schema"
import { present } from "@/lib/platform/schema"
import { diskRoom } from "@/lib/platform/storage/disk"
import { version } from "@/lib/platform/version"
import { installationMemory, rememberDisk, daysLeft, remembered } from "@/lib/projects/installation/store"

/** Rows are about at most so many addresses of a region. */
const addressesMax = 50

/** Servers of others by which the checks judge; tests have their own. */
export type SetupProbes = Pick<SetupContext, "outbound" | "blockLists" | "roots"> & { signed: string; bogus: string }

export const usualProbes: SetupProbes = {
  signed: "ietf.org",
  bogus: "dnssec-failed.org",
  outbound: { domains: ["gmail.com", "outlook.com", "yahoo.com"], port: 25, timeoutMs: 5_000 },
  blockLists: ["zen.spamhaus.org", "bl.spamcop.net", "b.barracudacentral.org"],
}

/** What the set-up is about now; all lookups together take at most so long. */
export async function readContext(
  { outbound, blockLists, roots, signed, bogus }: SetupProbes,
  lookupsMs: number,
): Promise<SetupContext> {
  const { profiles, direct } = regionSettings()
  const { serviceDomain, reportDomain, baseUrl } = env()
  const dns = withinMs(installationDns(), lookupsMs)
  const [rows, returnRoutes, { domain, publicKey }, clockLeadMs] = await Promise.all([
    listAddresses(),
    findReturnRoutes(),
    serviceKey(),
    readClockLead(),
  ])
  const sending = regionNames.map((region) => profiles[region]).filter(({ transport }) => transport !== "sandbox")
  const regions = await Promise.all(
    sending.map(async (profile): Promise<SetupRegion> => {
      if (profile.transport !== "direct") return { profile, sources: [] }
      const { region, ehloName } = profile
      const own = rows.filter((row) => row.region === region && row.pausedAt === null).slice(0, addressesMax)
      if (own.length > 0) return { profile, sources: own.map((row) => ({ region, ...pick(row) })) }
      return { profile, sources: (await addressesOr(dns, ehloName)).map((address) => ({ region, address, ehloName })) }
    }),
  )
  const bySes = regions.filter(({ profile }) => profile.transport === "ses").map(({ profile }) => profile.region)
  const heard = await Promise.all(bySes.map(async (region) => ({ region, at: await lastSesEventAt(region) })))
  const isNamed = direct.resolvers.length > 0
  return {
    sesEvents: new Map(heard.flatMap(({ region, at }) => (at ? [[region, at] as const] : []))),
    ...{ dns, regions, returnRoutes, outbound, blockLists, roots },
    stub: createStub({
      resolvers: isNamed ? direct.resolvers : systemResolvers(),
      trusted: direct.trusted,
      totalMs: lookupsMs,
    }),
    validation: { isNamed, trusted: direct.trusted, signed, bogus },
    service: { serviceDomain, reportDomain },
    origin: baseUrl,
    submission: submissionSettings(),
    reach: createReach(direct.networks),
    dkim: { name: serviceKeyName(domain), value: serviceKeyRecord(publicKey), publicKey },
    now: new Date(),
    clockLeadMs,
  }
}

async function readClockLead(): Promise<number> {
  const askedAt = Date.now()
  const there = await databaseTime()
  return (askedAt + Date.now()) / 2 - there.getTime()
}

function pick({ address, ehloName }: { address: string; ehloName: string }) {
  return { address, ehloName }
}

/** What the name of a region without addresses of its own leads to; an empty one where that is nothing. */
async function addressesOr(dns: Dns, ehloName: string): Promise<string[]> {
  const answer = await dns.addresses(ehloName)
  return answer.kind === "found" ? answer.values.slice(0, addressesMax) : [""]
}

/** What the installation is, and how it is doing, as this process sees it now. */
export async function installationFacts(): Promise<Installation> {
  const { serviceDomain, baseUrl, cell } = env()
  const [versions, { backedUpAt, disk }, room, queue, now] = await Promise.all([
    databaseVersions(),
    installationMemory(),
    diskRoom(dataFolder()),
    findQueueLength(),
    databaseTime(),
  ])
  const usedBytes = room.totalBytes - room.freeBytes
  const { profiles } = regionSettings()
  return {
    ...{ name: serviceDomain, origin: baseUrl, cell },
    versions: { mailroom: version, node: process.versions.node, ...versions },
    regions: regionNames.map((region) => {
      const profile = profiles[region]
      const { transport, delivered } = profile
      return { region, transport, nextHop: nextHopOf(profile), delivered }
    }),
    queue,
    disk: { ...room, daysLeft: present(daysLeft(disk, { at: now, usedBytes }, room.freeBytes)) },
    backedUpAt: present(backedUpAt),
  }
}

/** Keeps how much of the disk is used, so that its growth is known. */
export async function watchDisk(): Promise<void> {
  const [{ disk }, { totalBytes, freeBytes }, at] = await Promise.all([
    installationMemory(),
    diskRoom(dataFolder()),
    databaseTime(),
  ])
  const kept = remembered(disk, { at, usedBytes: totalBytes - freeBytes })
  if (kept) await rememberDisk(kept)
}

/** Without files of its own, a process has only the folder that it runs in. */
function dataFolder(): string {
  const { dataDir } = env()
  return existsSync(dataDir) ? dataDir : "."
}
