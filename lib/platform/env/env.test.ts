import { describe, expect, it } from "vitest"
import { z } from "zod"
import { EnvInvalid, parseEnv, parseSettings } from "@/lib/platform/env/env"
import { decodeId, encodeId, newId } from "@/lib/platform/ids"

const key = "3q2+796tvu/erb7v3q2+7wABAgMEBQYHCAkKCwwNDg8="
const organization = encodeId("org", newId())
const oidc = { OIDC_ISSUER: "https://id.example.com/realms/acme/", OIDC_CLIENT_ID: "a", OIDC_CLIENT_SECRET: "b" }
const enough = { DATABASE_URL: "postgresql://mail@localhost/mailroom", SECRET_KEY: key }

describe("env", () => {
  it("is complete with nothing but a database and a key", () => {
    const env = parseEnv(enough)
    expect(env).toMatchObject({
      port: 3000,
      baseUrl: "http://localhost:3000",
      serviceDomain: "mailroom.test",
      reportDomain: "dmarc.mailroom.test",
      systemFrom: "no-reply@mailroom.test",
      metricsPort: 9464,
      trustedProxyHops: 0,
      leaveSeconds: 0,
      roles: ["web", "worker", "mail", "sandbox"],
      host: undefined,
      cell: undefined,
      peers: [],
      dnsServers: [],
    })
    expect(env.secretKey).toHaveLength(32)
  })

  it("reports every fault at once, each by the name of its variable", () => {
    const faults = faultsOf({
      DATABASE_URL: "mysql://x",
      PORT: "70000",
      BASE_URL: "https://mail.example.com/app",
      SERVICE_DOMAIN: "not a host",
      DNS_SERVERS: "127.0.0.1:53,somewhere",
      TRUSTED_PROXY_HOPS: "-1",
      ROLES: "web,workers",
      HOST: "localhost",
      CELL: "eu-1",
      CELLS: "eu1=http://eu1.mail.example.com",
    })
    const names = [
      "DATABASE_URL",
      "SECRET_KEY",
      "PORT",
      "BASE_URL",
      "SERVICE_DOMAIN",
      "DNS_SERVERS",
      "TRUSTED_PROXY_HOPS",
      "ROLES",
      "HOST",
      "CELL",
      "CELLS",
    ]
    for (const name of names) expect(faults.filter((fault) => fault.startsWith(`${name}:`))).toHaveLength(1)
  })

  it("reports the faults of an area's variables with its own", () => {
    const area = z.object({ GREETING: z.string("is missing.") })
    const launch = () => parseSettings({ PORT: "70000" }, { areas: [area] })
    expect(launch).toThrow(/GREETING: is missing\.\n.*PORT: must be/)
  })

  it("demands a key of its own with DATABASE_URL", () => {
    expect(faultsOf({ DATABASE_URL: enough.DATABASE_URL })).toEqual([expect.stringMatching(/^SECRET_KEY/)])
  })

  it.each([
    ["a short one", "c2hvcnQ="],
    ["a repeated one", Buffer.alloc(32, 7).toString("base64")],
    ["a sentence", "please change me, this is the default"],
  ])("refuses as a key %s", (_, SECRET_KEY) => {
    expect(faultsOf({ ...enough, SECRET_KEY })).toEqual([expect.stringMatching(/^SECRET_KEY/)])
  })

  it("takes no IP address for a domain below which records are published", () => {
    expect(faultsOf({ ...enough, SERVICE_DOMAIN: "203.0.113.5" })).toEqual([expect.stringMatching(/^SERVICE_DOMAIN/)])
    expect(parseEnv({ ...enough, SERVICE_DOMAIN: "mail.3com" }).serviceDomain).toBe("mail.3com")
  })

  it("asks for the pooler's address beside that of the database behind it", () => {
    expect(faultsOf({ ...enough, DATABASE_URL: "", DATABASE_DIRECT_URL: enough.DATABASE_URL })).toContainEqual(
      expect.stringMatching(/^DATABASE_DIRECT_URL: needs DATABASE_URL/),
    )
  })

  it("takes a percent sign in the secret of S3 that encodes nothing as it is", () => {
    const url = "s3://KEY:50%off@s3.eu-west-1.amazonaws.com/bucket?region=eu-west-1"
    expect(parseEnv({ ...enough, S3_URL: url }).s3?.secretAccessKey).toBe("50%off")
  })

  it("takes a key in hex too", () => {
    const hex = Buffer.from(key, "base64").toString("hex")
    expect(parseEnv({ ...enough, SECRET_KEY: hex }).secretKey.toString("base64")).toBe(key)
  })

  it("takes an empty variable as an unset one", () => {
    expect(parseSettings({ PORT: "", DATABASE_URL: "" })).toMatchObject({ port: 3000, databaseUrl: undefined })
  })
})

describe("the cells of one service", () => {
  const own = { ...enough, CELL: "eu1", BASE_URL: "https://eu1.mail.example.com" }

  it("are known by their addresses, with this one among them or not, separated by blanks or commas", () => {
    const us1 = { cell: "us1", address: "https://us1.mail.example.com" }
    const ap1 = { cell: "ap1", address: "http://127.0.0.1:3001" }
    const all = `eu1=https://eu1.mail.example.com us1=https://us1.mail.example.com/,\n ap1=http://127.0.0.1:3001`
    expect(parseEnv({ ...own, CELLS: all }).peers).toEqual([us1, ap1])
    expect(parseEnv({ ...own, CELLS: "us1=https://us1.mail.example.com" }).peers).toEqual([us1])
    expect(parseEnv({ ...own, CELLS: "eu1=https://eu1.mail.example.com" }).peers).toEqual([])
  })

  it.each([
    ["without CELL", { CELL: "", CELLS: "us1=https://us1.mail.example.com" }],
    ["twice", { CELLS: "us1=https://us1.mail.example.com us1=https://us2.mail.example.com" }],
    ["with one address", { CELLS: "us1=https://us1.mail.example.com us2=https://us1.mail.example.com" }],
    ["without TLS", { CELLS: "us1=http://us1.mail.example.com" }],
    ["with a path", { CELLS: "us1=https://us1.mail.example.com/cells" }],
    ["without an address", { CELLS: "us1" }],
    ["with a name of another form", { CELLS: "US-1=https://us1.mail.example.com" }],
    ["with this cell elsewhere", { CELLS: "eu1=https://us1.mail.example.com" }],
    ["with another one here", { CELLS: "us1=https://eu1.mail.example.com" }],
    [
      "in too large a number",
      { CELLS: Array.from({ length: 51 }, (_, at) => `c${at + 10}=https://c${at}.test`).join() },
    ],
  ])("are refused %s", (_, given) => {
    expect(faultsOf({ ...own, ...given })).toEqual([expect.stringMatching(/^CELLS:/)])
  })
})

describe("identity providers", () => {
  it("are off until both id and secret are there", () => {
    expect(parseEnv(enough).identity).toEqual({ github: null, google: null, oidc: null })
    const { github, google } = parseEnv({
      ...enough,
      GITHUB_CLIENT_ID: "a",
      GITHUB_CLIENT_SECRET: "b",
      GITHUB_URL: "https://git.example.com",
    }).identity
    expect({ github, google }).toEqual({
      github: { clientId: "a", clientSecret: "b", origin: "https://git.example.com" },
      google: null,
    })
  })

  it.each([
    [{ GITHUB_CLIENT_ID: "a" }, "GITHUB_CLIENT_SECRET"],
    [{ GOOGLE_CLIENT_SECRET: "a" }, "GOOGLE_CLIENT_ID"],
    [{ GOOGLE_ISSUER: "accounts.google.com" }, "GOOGLE_ISSUER"],
    [{ ...oidc, OIDC_ISSUER: "id.example.com" }, "OIDC_ISSUER"],
    [{ ...oidc, OIDC_ISSUER: "" }, "OIDC_ISSUER"],
    [{ ...oidc, OIDC_CLIENT_SECRET: "" }, "OIDC_CLIENT_SECRET"],
    [{ ...oidc, OIDC_ROLES: `staff=${organization}:boss` }, "OIDC_ROLES"],
    [{ ...oidc, OIDC_ROLES: `staff=${organization}:viewer, ops` }, "OIDC_ROLES"],
    [{ ...oidc, OIDC_ROLES: "staff=org_1:viewer" }, "OIDC_ROLES"],
  ])("are refused by halves: %j", (half, name) => {
    expect(faultsOf({ ...enough, ...half })).toEqual([expect.stringMatching(`^${name}`)])
  })
})

describe("the provider of OpenID Connect", () => {
  it("has its issuer, name and claim, and what its groups give, whatever commas their names have", () => {
    const roles = `staff=${organization}:viewer, CN=Mail Admins,OU=x=${organization}:admin`
    const { identity } = parseEnv({ ...enough, ...oidc, OIDC_NAME: "Acme", OIDC_ROLES: roles })
    const organizationId = decodeId("org", organization)
    expect(identity.oidc).toEqual({
      issuer: "https://id.example.com/realms/acme",
      clientId: "a",
      clientSecret: "b",
      name: "Acme",
      scopes: "openid email",
      groupsClaim: "groups",
      roles: [
        { group: "staff", organizationId, role: "viewer" },
        { group: "CN=Mail Admins,OU=x", organizationId, role: "admin" },
      ],
    })
  })
})

function faultsOf(variables: Record<string, string>): string[] {
  try {
    parseEnv(variables)
    return []
  } catch (error) {
    if (error instanceof EnvInvalid) return error.faults
    throw error
  }
}
