import { serviceKey, serviceKeyName, serviceKeyRecord } from "@/lib/domains/keys/data"
import { registrationsUnder } from "@/lib/domains/data"
import { env } from "@/lib/platform/env/env"
import { regionSettings } from "@/lib/regions/settings"
import { log } from "@/lib/platform/log"
import { createZoneServer } from "@/lib/sandbox/zone"
import { zoneLookup } from "@/lib/sandbox/zone-records"
import { sandboxZones } from "@/lib/regions/io"
import { regionNames } from "@/lib/regions/regions"

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
