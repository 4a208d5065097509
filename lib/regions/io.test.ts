import { expect, it } from "vitest"
import { startDnsServer } from "@/e2e/support/platform/dns-server"
import { installationDns, sandboxZones } from "@/lib/regions/io"
import { parseRegionSettings } from "@/lib/regions/settings"

const names = { serviceDomain: "mail.example.com", reportDomain: "dmarc.mail.example.com" }
const relay = "smtp://relay.example.com"

it("gives the sandbox zone the service's own names only while no region has a real relay", () => {
  expect(zonesWith({})).toEqual(["test", "mail.example.com", "dmarc.mail.example.com"])
  const three = { SMTP_URL_US_EAST_1: relay, SMTP_URL_EU_WEST_1: relay, SMTP_URL_AP_SOUTHEAST_1: relay }
  expect(zonesWith(three)).toEqual(["test"])
  expect(zonesWith({ SMTP_URL: relay })).toEqual([])
})

it("DNS_SERVERS replaces the sandbox zone too", async () => {
  const server = await startDnsServer()
  server.answer("spf.us-east-1.mailroom.test", "TXT", ["from DNS_SERVERS"])
  const service = { serviceDomain: "mailroom.test", reportDomain: "dmarc.mailroom.test" }
  const settings = { ...parseRegionSettings({}, { ...service, dnsServers: [] }), sandboxDnsPort: 1 }
  const dns = installationDns({ ...settings, ...service, dnsServers: [server] })
  expect(await dns.txt("spf.us-east-1.mailroom.test")).toMatchObject({ values: ["from DNS_SERVERS"] })
  await server.close()
})

function zonesWith(variables: Record<string, string>): string[] {
  return sandboxZones({ ...names, ...parseRegionSettings(variables, { ...names, dnsServers: [] }) })
}
