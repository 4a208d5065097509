import { listAddresses } from "@/lib/delivery/egress/data"
import { findReturnRoutes } from "@/lib/delivery/regions/return-route-store"
import { lastSesEventAt } from "@/lib/delivery/setup/data"
import { submissionSettings } from "@/lib/delivery/smtp/submission-settings"
import type { SetupContext, SetupRegion } from "@/lib/delivery/setup/types"
import { serviceKey, serviceKeyName, serviceKeyRecord } from "@/lib/domains/keys/data"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { systemResolvers } from "@/lib/platform/dns/dns"
import { createStub } from "@/lib/platform/dns/stub"
import type { Dns } from "@/lib/platform/dns/types"
import { withinMs } from "@/lib/platform/dns/within"
import { env } from "@/lib/platform/env/env"
import { createReach } from "@/lib/platform/outbound/networks"
import { installationDns } from "@/lib/regions/io"
import { regionNames } from "@/lib/regions/regions"
import { regionSettings } from "@/lib/regions/settings"

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
    dkim: { name: serviceKeyName(domain), value: serviceKeyRecord(publicKey) },
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
