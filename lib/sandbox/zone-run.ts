import { registrationsUnder } from "@/lib/domains/data"
import { serviceKey, serviceKeyName, serviceKeyRecord } from "@/lib/domains/keys/data"
import {
  type ExpectedRecord,
  feedbackHost,
  type ServiceNames,
  spfHost,
  trackingTarget,
} from "@/lib/domains/records/records"
import { env } from "@/lib/platform/env/env"
import { log } from "@/lib/platform/log"
import { sandboxZones } from "@/lib/regions/io"
import { type Region, regionNames } from "@/lib/regions/regions"
import { regionSettings } from "@/lib/regions/settings"
import { createZoneServer } from "@/lib/sandbox/zone"
import type { ZoneLookup, ZoneRecord } from "@/lib/sandbox/zone-answer"

/**
 * Runs the sandbox's name server on 127.0.0.1 until the signal aborts, and then resolves. Without a region in the sandbox there is nothing
 * to answer, and it does not listen.
 * @throws when the port is taken
 */
export async function startZone(signal: AbortSignal): Promise<void> {
  const settings = { ...env(), ...regionSettings() }
  const zones = sandboxZones(settings)
  if (zones.length === 0 || signal.aborted) return
  const sandboxed = regionNames.filter((region) => settings.profiles[region].transport === "sandbox")
  const lookup = zoneLookup({
    service: settings,
    regions: sandboxed,
    serviceKey: {
      name: serviceKeyName(settings.serviceDomain),
      record: async () => serviceKeyRecord((await serviceKey()).publicKey),
    },
    async registrations(domain) {
      try {
        return await registrationsUnder(domain, sandboxed, new Date())
      } catch (error) {
        log.warn({ err: error, domain }, "the sandbox zone could not read the registered domains")
        throw error
      }
    },
    now: () => new Date(),
  })
  const server = await createZoneServer({ port: settings.sandboxDnsPort, zones, lookup })
  log.info({ port: server.port, zones }, "the sandbox zone answers")
  await new Promise<void>((done) =>
    signal.aborted ? done() : signal.addEventListener("abort", () => done(), { once: true }),
  )
  await server.close()
}

// What it answers

/** A `.test` domain as the sandbox publishes it: as if its owner had pasted the records at once and correctly. */
export type SandboxRegistration = { registeredAt: Date; records: ExpectedRecord[] }

export type ZoneContents = {
  service: ServiceNames
  regions: readonly Region[]
  /** Registrations in sandbox regions of this domain and of all names under it. */
  /** The name of the service domain's DKIM key, and its record. */
  serviceKey: { name: string; record(): Promise<string> }
  registrations(domain: string): Promise<SandboxRegistration[]>
  now(): Date
}

/** People and their providers take a while; the sandbox takes this long, so that the waiting can be seen. */
const publishAfterMs = 3000

/** What the sandbox's name server answers: the service's own names, and the registered domains under `.test`. */
export function zoneLookup(contents: ZoneContents): ZoneLookup {
  const fixed = serviceRecords(contents.service, contents.regions)
  const { serviceKey } = contents
  const consent = `._report._dmarc.${contents.service.reportDomain}`

  return async function lookup(name) {
    const own = fixed.get(name)
    if (own) return own
    if (name === serviceKey.name) return [{ type: "TXT", value: await serviceKey.record() }]
    // The wildcard by which receivers are allowed to report about any domain (RFC 9990 4).
    if (name.endsWith(consent)) return [{ type: "TXT", value: "v=DMARC1;" }]
    const published = await registered(name)
    const here = published.filter((record) => record.name === name)
    if (here.length > 0) return here.map(toZoneRecord)
    const below = `.${name}`
    const parent = [...fixed.keys(), serviceKey.name, ...published.map((record) => record.name)].some((known) =>
      known.endsWith(below),
    )
    return parent || consent.endsWith(below) ? [] : null
  }

  async function registered(name: string): Promise<ExpectedRecord[]> {
    const labels = name.split(".")
    if (labels.at(-1) !== "test" || labels.length < 2) return []
    const before = contents.now().getTime() - publishAfterMs
    const all = await contents.registrations(labels.slice(-2).join("."))
    return newestOfEach(all.filter((registration) => registration.registeredAt.getTime() <= before))
  }
}

/**
 * Several projects may register one domain. Names that can hold only one record, the policy, the logo and the tracking alias,
 * show what the newest of them asks for: its policy was made from the one that stood there before.
 */
function newestOfEach(registrations: SandboxRegistration[]): ExpectedRecord[] {
  const newestFirst = registrations.toSorted((a, b) => b.registeredAt.getTime() - a.registeredAt.getTime())
  const single = new Set<string>()
  return newestFirst
    .flatMap((registration) => registration.records)
    .filter((record) => {
      if (record.key !== "dmarc" && record.key !== "tracking" && record.key !== "bimi") return true
      if (single.has(record.name)) return false
      single.add(record.name)
      return true
    })
}

/** What an operator publishes for the service itself, with every server on this machine. */
function serviceRecords(service: ServiceNames, regions: readonly Region[]): Map<string, ZoneRecord[]> {
  const { serviceDomain, reportDomain } = service
  const here: ZoneRecord[] = [
    { type: "A", value: "127.0.0.1" },
    { type: "AAAA", value: "::1" },
  ]
  const spf: ZoneRecord = { type: "TXT", value: "v=spf1 ip4:127.0.0.1 ip6:::1 -all" }
  const [home = "us-east-1"] = regions
  const mailHost: ZoneRecord = { type: "MX", value: feedbackHost(home, service), priority: 10 }
  return new Map<string, ZoneRecord[]>([
    [serviceDomain, [...here, mailHost, spf]],
    [`_dmarc.${serviceDomain}`, [{ type: "TXT", value: "v=DMARC1; p=reject" }]],
    ...[serviceDomain, reportDomain, "test"].map((zone): [string, ZoneRecord[]] => [`ns.${zone}`, here]),
    [trackingTarget(service), here],
    [reportDomain, [mailHost]],
    // A null MX (RFC 7505): nothing outside may deliver to the simulator.
    [`simulator.${serviceDomain}`, [{ type: "MX", value: "", priority: 0 }]],
    ...regions.map((region): [string, ZoneRecord[]] => [feedbackHost(region, service), [...here, spf]]),
    ...regions.map((region): [string, ZoneRecord[]] => [spfHost(region, service), [spf]]),
  ])
}

function toZoneRecord({ type, value, priority }: ExpectedRecord): ZoneRecord {
  return priority === undefined ? { type, value } : { type, value, priority }
}
