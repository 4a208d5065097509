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

  it("send directly with direct:, where acceptance is delivery, under a name of their own", () => {
    const { profiles, direct } = parsed({
      SMTP_URL_EU_WEST_1: "direct:",
      SMTP_URL_US_EAST_1: "direct:?ehlo=out.example.com&connections=2",
    })
    expect(profiles["eu-west-1"]).toMatchObject({
      transport: "direct",
      delivered: "accept",
      ehloName: "out.eu-west-1.mail.example.com",
      maxConnections: 5,
    })
    expect(profiles["us-east-1"]).toMatchObject({ ehloName: "out.example.com", maxConnections: 2 })
    expect(profiles["af-south-1"].transport).toBe("sandbox")
    expect(direct).toEqual({ resolvers: [], trusted: false, networks: [], port: 25, policyPort: 443 })
  })

  it.each([
    ["127.0.0.1:53", true],
    ["127.0.0.1:53,[::1]:53", true],
    ["127.0.0.1:53,192.0.2.1:53", false],
    ["192.0.2.1:53", false],
    ["192.0.2.1:53?trusted", true],
  ])("believe what the resolvers %s say of DNSSEC: %s", (MX_DNS, trusted) => {
    expect(parsed({ MX_DNS }).direct.trusted).toBe(trusted)
  })

  it("believe nobody else, however near", () => {
    const { direct } = parseRegionSettings(
      {},
      { serviceDomain: "mail.example.com", dnsServers: [{ host: "127.0.0.1", port: 53 }] },
    )
    expect(direct).toMatchObject({ resolvers: [{ host: "127.0.0.1", port: 53 }], trusted: false })
  })

  it("take other ports of recipients' servers from tests alone", () => {
    const variables = { DIRECT_PORT: "2500", STS_PORT: "4430" }
    expect(parsed({ ...variables, NODE_ENV: "test" }).direct).toMatchObject({ port: 2500, policyPort: 4430 })
    for (const mode of ["production", ""])
      expect(() => parsed({ ...variables, NODE_ENV: mode })).toThrow(
        /DIRECT_PORT: is for tests alone\.\n.*STS_PORT: is for tests alone/,
      )
  })

  it.each([
    "direct://mx.example.com",
    "direct:mx.example.com",
    "direct:?delivered=dsn",
    "direct:?connections=0",
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

describe("a region that sends by Amazon SES", () => {
  it("has credentials or takes those of the machine, and events make an email delivered", () => {
    const queue = "https://sqs.eu-west-1.amazonaws.com/123456789012/events"
    const { profiles } = parsed({
      SMTP_URL_EU_WEST_1: `ses://AKIA:a%2Fb%2Bc@eu-west-1?configuration-set=main&events=${queue}`,
      SMTP_URL_US_EAST_1: "ses://us-east-1?connections=5",
    })
    expect(profiles["eu-west-1"]).toMatchObject({
      transport: "ses",
      delivered: "events",
      ses: {
        awsRegion: "eu-west-1",
        credentials: { accessKeyId: "AKIA", secretAccessKey: "a/b+c" },
        configurationSet: "main",
        events: queue,
        maxConnections: 20,
      },
    })
    expect(profiles["us-east-1"]).toMatchObject({
      ...{ transport: "ses", delivered: "never" },
      ses: { awsRegion: "us-east-1", maxConnections: 5 },
    })
    expect(profiles["us-east-1"]).not.toHaveProperty("ses.credentials")
  })

  it.each([
    ["ses://AKIA:a/b@eu-west-1", "percent-encoded"],
    ["ses://AKIA@eu-west-1", "an access key and its secret, or neither"],
    ["ses://AKIA:s@nowhere", "must name an AWS region"],
    ["ses://eu-west-1/queue", "takes nothing after the AWS region"],
    ["ses://eu-west-1?tls=none", "does not know tls"],
    ["ses://eu-west-1?configuration-set=a.b", "configuration-set"],
    ["ses://eu-west-1?configuration-set=a&events=http://sqs.example.com/q", "events must be an https URL"],
    ["ses://eu-west-1?configuration-set=a&topic=events", "topic must be the ARN"],
    ["ses://eu-west-1?events=https://sqs.eu-west-1.amazonaws.com/1/q", "need configuration-set"],
    ["ses://eu-west-1?endpoint=http://192.0.2.1", "endpoint must be an https URL"],
  ])("is refused as %s in plain words: %s", (SMTP_URL, words) => {
    expect(faultsOf(SMTP_URL).join("\n")).toContain(words)
  })
})
