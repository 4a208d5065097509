import { describe, expect, it } from "vitest"
import { EnvInvalid, parseSettings } from "@/lib/platform/env/env"
import { parseRegionSettings, RegionVariables } from "@/lib/regions/settings"

describe("the profiles of regions", () => {
  it("are the sandbox's without a relay", () => {
    const { profiles, sandboxSmtpPort } = parsed({})
    expect(profiles["eu-west-1"]).toMatchObject({
      transport: "sandbox",
      delivered: "accept",
      ehloName: "eu-west-1.mail.example.com",
    })
    expect(sandboxSmtpPort).toBe(2525)
  })

  it("take one relay for all regions and an own one for the region that has it", () => {
    const { profiles } = parsed({
      SMTP_URL: "smtps://us%40er:p%3Ass@relay.example.com",
      SMTP_URL_EU_WEST_1: "smtp://10.0.0.1?delivered=accept&ehlo=out.example.com&connections=20",
    })
    expect(profiles["us-east-1"]).toMatchObject({
      transport: "smtp",
      delivered: "never",
      smtp: {
        host: "relay.example.com",
        port: 465,
        tls: "implicit",
        user: "us@er",
        password: "p:ss",
        maxConnections: 10,
      },
    })
    expect(profiles["eu-west-1"]).toMatchObject({
      ehloName: "out.example.com",
      delivered: "accept",
      smtp: { host: "10.0.0.1", port: 25, tls: "opportunistic", maxConnections: 20 },
    })
  })

  it("let returned mail in from everywhere once a region has a relay or the port is named, else from loopback", () => {
    expect(parsed({}).inbound).toEqual({ port: 2526, host: "127.0.0.1", isNamed: false })
    expect(parsed({ SMTP_URL_EU_WEST_1: "smtp://10.0.0.1" }).inbound).toEqual({
      port: 2526,
      host: undefined,
      isNamed: false,
    })
    expect(parsed({ INBOUND_PORT: "25" }).inbound).toEqual({ port: 25, host: undefined, isNamed: true })
  })

  it.each([
    "smtp://u:p@relay.example.com?tls=none",
    "smtp://u:p@relay.example.com?tls=opportunistic",
    "smtp://relay.example.com?tls=maybe",
    "smtp://relay.example.com?speed=9",
    "smtps://relay.example.com?tls=none",
    "smtp://relay.example.com?connections=0",
  ])("refuses %s", (SMTP_URL) => {
    expect(faultsOf(SMTP_URL)).toEqual([expect.stringMatching(/^SMTP_URL/)])
  })

  it("take delivery reports as what makes an email delivered", () => {
    const { profiles } = parsed({ SMTP_URL: "smtp://relay.example.com?delivered=dsn" })
    expect(profiles["eu-west-1"]).toMatchObject({ delivered: "dsn" })
  })

  it("lets a password go in the clear to loopback alone", () => {
    const { profiles } = parsed({ SMTP_URL: "smtp://u:p@127.0.0.1:2500?tls=none" })
    expect(profiles["us-east-1"]).toMatchObject({ smtp: { tls: "none", port: 2500 } })
  })
})

it("are checked at start together with the rest of the configuration", () => {
  const variables = { PORT: "70000", SMTP_URL: "http://relay.example.com", SANDBOX_DNS_PORT: "0" }
  const launch = () => parseSettings(variables, { areas: [RegionVariables] })
  for (const name of Object.keys(variables)) expect(launch).toThrow(`${name}: `)
})

function parsed(variables: Record<string, string>) {
  return parseRegionSettings(variables, { serviceDomain: "mail.example.com", dnsServers: [] })
}

function faultsOf(SMTP_URL: string): string[] {
  try {
    parsed({ SMTP_URL })
    return []
  } catch (error) {
    if (error instanceof EnvInvalid) return error.faults
    throw error
  }
}
