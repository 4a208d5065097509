import { Resolver } from "node:dns/promises"
import { createSocket } from "node:dgram"
import { connect } from "node:net"
import { decode, encode, RECURSION_DESIRED, type DecodedPacket } from "dns-packet"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createDns, type Dns } from "@/lib/platform/dns/dns"
import { compareRecords } from "@/lib/domains/check/compare"
import { recordsToPublish, reportUri, selector, type ExpectedRecord } from "@/lib/domains/records/records"
import { createZoneServer, type ZoneServer, type SandboxRegistration, zoneLookup } from "@/lib/sandbox/zone"

const service = { serviceDomain: "mailroom.test", reportDomain: "dmarc.mailroom.test" }
const domainId = "01966d2c-7c00-7000-8000-0123456789ab"
const keys = { a: "A".repeat(392), b: "B".repeat(392) }
const registered = new Map<string, SandboxRegistration[]>()
let now = new Date("2026-03-01T10:00:00.000Z")
let zone: ZoneServer
let dns: Dns

beforeAll(async () => {
  const lookup = zoneLookup({
    service,
    regions: ["us-east-1", "eu-west-1"],
    serviceKey: { name: "mailroom._domainkey.mailroom.test", record: async () => `v=DKIM1; k=rsa; p=${keys.a}` },
    registrations: async (domain) => {
      if (domain === "broken.test") throw new Error("the database is away")
      return registered.get(domain) ?? []
    },
    now: () => now,
  })
  zone = await createZoneServer({ port: 0, zones: ["test"], lookup })
  dns = createDns({ servers: [{ host: "127.0.0.1", port: zone.port }], timeoutMs: 3_000 })
})
afterAll(() => zone.close())

const records = (domain: string, rua?: string) =>
  recordsToPublish(
    {
      domain,
      region: "us-east-1",
      mailFromDomain: `send.${domain}`,
      trackingDomain: `links.${domain}`,
      keys: [
        { record: "dkim-a", selector: selector(domainId, "a"), publicKey: keys.a, active: true },
        { record: "dkim-b", selector: selector(domainId, "b"), publicKey: keys.b, active: false },
      ],
      reportToken: "tok",
      policy:
        rua === undefined
          ? { kind: "none" }
          : { kind: "policy", name: "_dmarc.acme.test", texts: [`v=DMARC1; p=none; rua=${rua}`] },
      logo: { logoUrl: null, vmcUrl: null },
    },
    service,
  )

describe("the names of the service", () => {
  it("lead to this machine, and its addresses pass SPF", async () => {
    expect(await dns.addresses("feedback.eu-west-1.mailroom.test")).toMatchObject({ values: ["127.0.0.1", "::1"] })
    expect(await dns.txt("spf.us-east-1.mailroom.test")).toMatchObject({
      values: ["v=spf1 ip4:127.0.0.1 ip6:::1 -all"],
    })
    expect(await dns.addresses("track.mailroom.test")).toMatchObject({ kind: "found" })
    expect(await dns.mx("mailroom.test")).toMatchObject({ kind: "found" })
    expect(await dns.mx("simulator.mailroom.test")).toMatchObject({ values: [{ exchange: "", priority: 0 }] })
  })

  it("publish the key with which system mail is signed, and no other name near it", async () => {
    expect(await dns.txt("mailroom._domainkey.mailroom.test")).toMatchObject({
      values: [`v=DKIM1; k=rsa; p=${keys.a}`],
    })
    expect(await dns.txt("_domainkey.mailroom.test")).toMatchObject({ reason: "no-data" })
    expect(await dns.txt("other._domainkey.mailroom.test")).toMatchObject({ reason: "no-name" })
  })

  it("consent to reports about any domain", async () => {
    for (const domain of ["acme.test", "mail.example.co.uk"]) {
      expect(await dns.txt(`${domain}._report._dmarc.dmarc.mailroom.test`)).toMatchObject({ values: ["v=DMARC1;"] })
    }
  })
})

describe("a registered domain", () => {
  it("is published as its owner would have done, three seconds after the registration", async () => {
    registered.set("acme.test", [{ registeredAt: now, records: records("acme.test") }])
    const expected = {
      domain: "acme.test",
      organizationalDomain: "acme.test",
      dkim: {
        a: { name: `${selector(domainId, "a")}._domainkey.acme.test`, publicKey: keys.a },
        b: { name: `${selector(domainId, "b")}._domainkey.acme.test`, publicKey: keys.b },
      },
      mailFromDomain: "send.acme.test",
      feedbackHost: "feedback.us-east-1.mailroom.test",
      spfHost: "spf.us-east-1.mailroom.test",
      trackingDomain: "links.acme.test",
      trackingTarget: "track.mailroom.test",
      reportUri: reportUri("tok", service),
      reportDomain: service.reportDomain,
    }
    const outcomes = async () => {
      // Without a logo there is no record of BIMI.
      const { bimi: _, ...findings } = (await compareRecords(dns, expected)).findings
      return new Set(Object.values(findings).map((finding) => finding.outcome))
    }
    expect(await outcomes()).toEqual(new Set(["missing"]))
    now = new Date(now.getTime() + 3000)
    expect(await outcomes()).toEqual(new Set(["valid"]))
  })

  it("answers absence correctly: a name above others exists without data, any other does not exist", async () => {
    expect(await dns.txt("_domainkey.acme.test")).toMatchObject({ kind: "missing", reason: "no-data" })
    expect(await dns.addresses("send.acme.test")).toMatchObject({ kind: "missing", reason: "no-data" })
    expect(await dns.txt("other.acme.test")).toMatchObject({ kind: "missing", reason: "no-name" })
    expect(await dns.txt("nobody.test")).toMatchObject({ kind: "missing", reason: "no-name" })
    expect(await dns.txt("test")).toMatchObject({ kind: "missing", reason: "no-data" })
  })

  it("registered by several projects has one policy, the newest, and the keys of all", async () => {
    const other = records("acme.test", "mailto:tok@dmarc.mailroom.test,mailto:two@dmarc.mailroom.test")
    const renamed = other.map((record): ExpectedRecord =>
      record.key === "dkim-a" ? { ...record, name: "mrother._domainkey.acme.test" } : record,
    )
    const before = registered.get("acme.test") ?? []
    registered.set("acme.test", [...before, { registeredAt: new Date(now.getTime() - 3000 + 1), records: renamed }])
    now = new Date(now.getTime() + 10_000)
    const policy = await dns.txt("_dmarc.acme.test")
    expect(policy.kind === "found" && policy.values).toEqual([expect.stringContaining("mailto:two@")])
    expect(await dns.txt("mrother._domainkey.acme.test")).toMatchObject({ kind: "found" })
    expect(await dns.txt(`${selector(domainId, "a")}._domainkey.acme.test`)).toMatchObject({ kind: "found" })
    expect(await dns.cname("links.acme.test")).toMatchObject({ values: ["track.mailroom.test"] })
  })

  it("has its alias followed within the zone", async () => {
    expect(await dns.addresses("links.acme.test")).toMatchObject({ values: ["127.0.0.1", "::1"] })
  })
})

describe("the server", () => {
  it("refuses names that are not its own, and says SERVFAIL when its lookup fails", async () => {
    expect(await dns.txt("example.com")).toMatchObject({ kind: "error", reason: "refused" })
    expect(await dns.txt("broken.test")).toMatchObject({ kind: "error", reason: "server-failure" })
  })

  it("answers with authority, without a time to keep, and with the zone's SOA when something is absent", async () => {
    const found = await ask({ name: "SPF.us-east-1.MAILROOM.test", type: "TXT" })
    expect(found.flag_aa).toBe(true)
    expect(found.answers?.[0]).toMatchObject({ ttl: 0 })
    const absent = await ask({ name: "nobody.test", type: "A" })
    expect(absent).toMatchObject({ rcode: "NXDOMAIN", flag_aa: true })
    expect(absent.authorities?.[0]).toMatchObject({ type: "SOA", name: "test", data: { minimum: 0 } })
    const resolver = new Resolver()
    resolver.setServers([`127.0.0.1:${zone.port}`])
    expect((await resolver.resolveSoa("test")).nsname).toBe("ns.test")
    expect(await resolver.resolveNs("test")).toEqual(["ns.test"])
  })

  it("sends a client without EDNS to TCP when the answer is too long for it", async () => {
    const name = `${selector(domainId, "a")}._domainkey.acme.test`
    registered.set("acme.test", [
      { registeredAt: new Date(0), records: records("acme.test").map((r) => ({ ...r, value: r.value.repeat(3) })) },
    ])
    expect(await ask({ name, type: "TXT" })).toMatchObject({ flag_tc: true, answers: [] })
    expect(await dns.txt(name)).toMatchObject({ kind: "found" })
  })

  it("survives garbage on both transports", async () => {
    const socket = createSocket("udp4")
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from([1]),
      Buffer.alloc(40, 255),
      encode({ type: "response", id: 1 }),
    ]) {
      await new Promise((done) => socket.send(bytes, zone.port, "127.0.0.1", done))
    }
    socket.close()
    await new Promise<void>((done) => {
      const stream = connect(zone.port, "127.0.0.1", () => stream.write(Buffer.alloc(70, 255)))
      stream.on("error", () => done())
      stream.on("close", () => done())
    })
    expect(await dns.addresses("track.mailroom.test")).toMatchObject({ kind: "found" })
  })

  it("says so when its port is taken", async () => {
    await expect(createZoneServer({ port: zone.port, zones: ["test"], lookup: async () => null })).rejects.toThrow(
      "EADDRINUSE",
    )
  })
})

/** A bare UDP question without EDNS. */
function ask(question: { name: string; type: "TXT" | "A" }): Promise<DecodedPacket> {
  return new Promise((done, fail) => {
    const socket = createSocket("udp4")
    socket.on("error", fail)
    socket.on("message", (message) => {
      socket.close()
      done(decode(message))
    })
    socket.send(
      encode({ type: "query", id: 7, flags: RECURSION_DESIRED, questions: [question] }),
      zone.port,
      "127.0.0.1",
    )
  })
}
