import { createDns, isUnder, type Dns } from "@/lib/platform/dns/dns"
import { systemClock } from "@/lib/platform/time"
import { areaSettings, env, type Env } from "@/lib/platform/env/env"
import { systemRandom, type Io } from "@/lib/platform/io"
import { regionSettings, type RegionSettings } from "@/lib/regions/settings"

/** The real clock, DNS and randomness, opened on first use. */
export const systemIo = areaSettings((): Io => ({ clock: systemClock, dns: installationDns(), random: systemRandom }))

/** What decides whom this installation asks for a name. */
export type DnsSettings = Pick<Env, "dnsServers"> & ZoneSettings & Pick<RegionSettings, "sandboxDnsPort">
type ZoneSettings = Pick<Env, "serviceDomain" | "reportDomain"> & Pick<RegionSettings, "profiles">

/** The lookups of this installation: DNS_SERVERS for everything, else the sandbox zone for what it publishes. */
export function installationDns(settings: DnsSettings = { ...env(), ...regionSettings() }): Dns {
  const zones = sandboxZones(settings)
  const server = { host: "127.0.0.1", port: settings.sandboxDnsPort }
  return createDns({ servers: settings.dnsServers, local: zones.length > 0 ? { zones, server } : undefined })
}

/**
 * The zones that the sandbox's name server answers: `.test` while a region is in the sandbox, and the service's own
 * names as long as no region has a real relay, because then only the public DNS is right about them.
 */
export function sandboxZones({ profiles, serviceDomain, reportDomain }: ZoneSettings): string[] {
  const transports = Object.values(profiles).map(({ transport }) => transport)
  if (!transports.includes("sandbox")) return []
  const own = transports.every((transport) => transport === "sandbox") ? [serviceDomain, reportDomain] : []
  return ["test", ...own.filter((zone) => !isUnder(zone, "test"))]
}
