import { listAddresses } from "@/lib/delivery/egress/data"
import { findReturnRoutes } from "@/lib/delivery/regions/return-route-store"
import { setupRows } from "@/lib/delivery/setup/rows"
import type { SetupReport, SetupRow } from "@/lib/delivery/setup/schema"
import type { SetupContext, SetupDeclaration, SetupRegion, SetupSubject } from "@/lib/delivery/setup/types"
import { regionSentence, rowName, setupWords } from "@/lib/delivery/setup/words"
import { operatorZoneFile } from "@/lib/delivery/setup/zone-file"
import { serviceKey, serviceKeyName, serviceKeyRecord } from "@/lib/domains/keys/data"
import { systemResolvers } from "@/lib/platform/dns/dns"
import { createStub } from "@/lib/platform/dns/stub"
import type { Dns } from "@/lib/platform/dns/types"
import { withinMs } from "@/lib/platform/dns/within"
import { env } from "@/lib/platform/env/env"
import { createSharedSlots } from "@/lib/platform/jobs/slots"
import { createReach } from "@/lib/platform/outbound/networks"
import { installationDns } from "@/lib/regions/io"
import { regionNames } from "@/lib/regions/regions"
import { regionSettings } from "@/lib/regions/settings"

/** For all lookups of one report. */
const lookupsMs = 8_000
/** Rows are about at most so many addresses of a region. */
const addressesMax = 50

/** One report at a time in a process: it asks servers of others. */
const inPlace = createSharedSlots({ count: 1, perOwner: 1, waitMs: 5_000 })

/** Servers of others by which the checks judge; tests have their own. */
export type SetupProbes = Pick<SetupContext, "outbound" | "blockLists" | "roots"> & { signed: string; bogus: string }

const usualProbes: SetupProbes = {
  signed: "ietf.org",
  bogus: "dnssec-failed.org",
  outbound: { domains: ["gmail.com", "outlook.com", "yahoo.com"], port: 25, timeoutMs: 5_000 },
  blockLists: ["zen.spamhaus.org", "bl.spamcop.net", "b.barracudacentral.org"],
}

/**
 * Checks all rows now, within seconds.
 * @throws SlotsBusy while another report is made
 */
export function checkSetup(probes: SetupProbes = usualProbes): Promise<SetupReport> {
  return inPlace("setup", async () => {
    const context = await readContext(probes)
    const asked = setupRows.flatMap((row) => row.subjects(context).map((subject) => ({ row, subject })))
    const rows = await Promise.all(asked.map(({ row, subject }) => checkRow(context, row, subject)))
    const host = new URL(context.origin).hostname
    const server = context.regions.length > 0 ? await context.dns.addresses(host) : undefined
    return {
      checkedAt: context.now,
      ready: rows.every(({ kind, state }) => kind !== "required" || state === "ok"),
      regions: context.regions.map((region) => summaryOf(region, rows)),
      rows,
      zoneFile: operatorZoneFile(context, server?.kind === "found" ? server.values : []),
    }
  })
}

async function checkRow(context: SetupContext, row: SetupDeclaration, subject: SetupSubject): Promise<SetupRow> {
  const checked = await row.check(context, subject)
  const { region, source } = subject
  return {
    ...{ key: row.key, kind: row.kind, ...checked, ...setupWords(row.key, checked) },
    ...(region && { region: region.profile.region }),
    ...(source?.address && { address: source.address }),
  }
}

function summaryOf({ profile, sources }: SetupRegion, all: readonly SetupRow[]): SetupReport["regions"][number] {
  const { region } = profile
  const rows = all.filter((row) => row.region === undefined || row.region === region)
  const red = rows.filter(({ state }) => state === "wrong")
  const transport = profile.transport === "direct" ? ("direct" as const) : ("smtp" as const)
  const addresses = sources.filter(({ address }) => address !== "").length
  const names = red.map(({ key, address = "" }) => rowName(key, { source: { region, address, ehloName: "" } }))
  const facts = { region, transport, addresses, rows: rows.length }
  return { ...facts, red: red.length, message: regionSentence({ ...facts, red: names }) }
}

async function readContext({ outbound, blockLists, roots, signed, bogus }: SetupProbes): Promise<SetupContext> {
  const { profiles, direct } = regionSettings()
  const { serviceDomain, reportDomain, baseUrl } = env()
  const dns = withinMs(installationDns(), lookupsMs)
  const [rows, returnRoutes, { domain, publicKey }] = await Promise.all([
    listAddresses(),
    findReturnRoutes(),
    serviceKey(),
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
  const isNamed = direct.resolvers.length > 0
  return {
    ...{ dns, regions, returnRoutes, outbound, blockLists, roots },
    stub: createStub({
      resolvers: isNamed ? direct.resolvers : systemResolvers(),
      trusted: direct.trusted,
      totalMs: lookupsMs,
    }),
    validation: { isNamed, trusted: direct.trusted, signed, bogus },
    service: { serviceDomain, reportDomain },
    origin: baseUrl,
    reach: createReach(direct.networks),
    dkim: { name: serviceKeyName(domain), value: serviceKeyRecord(publicKey) },
    now: new Date(),
  }
}

function pick({ address, ehloName }: { address: string; ehloName: string }) {
  return { address, ehloName }
}

/** What the name of a region without addresses of its own leads to; an empty one where that is nothing. */
async function addressesOr(dns: Dns, ehloName: string): Promise<string[]> {
  const answer = await dns.addresses(ehloName)
  return answer.kind === "found" ? answer.values.slice(0, addressesMax) : [""]
}
