import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { measured } from "@/e2e/support/measured"
import { createDns, type Dns, withinMs } from "@/lib/platform/dns/dns"
import { startDnsServer, type TestDnsServer } from "@/e2e/support/platform/dns-server"

let server: TestDnsServer
let dns: Dns

beforeAll(async () => {
  server = await startDnsServer()
  dns = createDns({ servers: [server], timeoutMs: 300, totalMs: 1500 })
})
afterAll(() => server.close())

describe("the answer of a server", () => {
  it("joins the chunks of a long TXT, also when only TCP can carry it", async () => {
    const chunks = Array.from({ length: 16 }, (_, i) => String.fromCharCode(97 + i).repeat(250))
    server.answer("long.acme.com", "TXT", [chunks])
    expect(await dns.txt("long.acme.com")).toMatchObject({ kind: "found", values: [chunks.join("")] })
    expect(server.tcpQuestions).toBeGreaterThan(0)
  })

  it("keeps several TXT records apart", async () => {
    server.answer("two.acme.com", "TXT", ["v=spf1 -all", ["v=spf1 ", "+all"]])
    const answer = await dns.txt("two.acme.com")
    expect(answer.kind === "found" && answer.values.sort()).toEqual(["v=spf1 +all", "v=spf1 -all"])
  })

  it("gives host names in lower case without the final dot", async () => {
    server.answer("acme.com", "MX", [{ preference: 10, exchange: "Feedback.EU.Example.com." }])
    expect(await dns.mx("ACME.com.")).toMatchObject({
      kind: "found",
      values: [{ exchange: "feedback.eu.example.com", priority: 10 }],
    })
  })

  it("gives the null MX as an empty exchange", async () => {
    server.answer("null.acme.com", "MX", [{ preference: 0, exchange: "." }])
    expect(await dns.mx("null.acme.com")).toMatchObject({ kind: "found", values: [{ exchange: "", priority: 0 }] })
  })

  it("tells a name without this type from a name that does not exist", async () => {
    server.answer("only-a.acme.com", "A", ["192.0.2.1"])
    expect(await dns.txt("only-a.acme.com")).toMatchObject({ kind: "missing", reason: "no-data" })
    expect(await dns.txt("nothing.acme.com")).toMatchObject({ kind: "missing", reason: "no-name" })
    expect(await dns.addresses("only-a.acme.com")).toMatchObject({ kind: "found", values: ["192.0.2.1"] })
    expect(await dns.addresses("nothing.acme.com")).toMatchObject({ kind: "missing", reason: "no-name" })
  })

  it("reports SERVFAIL, REFUSED, silence and a closed port as errors, not as absence", async () => {
    server.fault("broken.acme.com", "SERVFAIL")
    server.fault("refused.acme.com", "REFUSED")
    server.fault("silent.acme.com", "silence")
    expect(await dns.txt("broken.acme.com")).toMatchObject({ kind: "error", reason: "server-failure" })
    expect(await dns.txt("refused.acme.com")).toMatchObject({ kind: "error", reason: "refused" })
    expect(await dns.txt("silent.acme.com")).toMatchObject({ kind: "error", reason: "timeout" })
    const closed = createDns({ servers: [{ host: "127.0.0.1", port: 1 }], timeoutMs: 300 })
    expect((await closed.txt("acme.com")).kind).toBe("error")
  })

  it("never throws on a name that cannot be asked for", async () => {
    for (const name of ["", ".", "a..b", "x".repeat(300), "a b.test"]) {
      expect(["error", "missing"]).toContain((await dns.txt(name)).kind)
    }
  })
})

describe("aliases", () => {
  it("are followed to the record, but cname() shows the alias itself", async () => {
    server.answer("selector.acme.com", "CNAME", ["keys.vendor.com"])
    server.answer("keys.vendor.com", "TXT", ["v=DKIM1; p="])
    expect(await dns.txt("selector.acme.com")).toMatchObject({ kind: "found", values: ["v=DKIM1; p="] })
    expect(await dns.cname("selector.acme.com")).toMatchObject({ kind: "found", values: ["keys.vendor.com"] })
  })

  it("that form a loop end as an error within the time allowed", measured, async () => {
    server.answer("loop-a.acme.com", "CNAME", ["loop-b.acme.com"])
    server.answer("loop-b.acme.com", "CNAME", ["loop-a.acme.com"])
    const began = Date.now()
    expect((await dns.txt("loop-a.acme.com")).kind).toBe("error")
    expect(Date.now() - began).toBeLessThan(2500)
  })
})

describe("an allowance for several lookups together", () => {
  it("answers lookups beyond it as a timeout", async () => {
    server.fault("slow.acme.com", "silence")
    server.answer("quick.acme.com", "TXT", ["here"])
    const bound = withinMs(createDns({ servers: [server], timeoutMs: 5000 }), 1000)
    expect((await bound.txt("quick.acme.com")).kind).toBe("found")
    expect(await bound.txt("slow.acme.com")).toMatchObject({ kind: "error", reason: "timeout" })
    expect(await bound.txt("quick.acme.com")).toMatchObject({ kind: "error", reason: "timeout" })
  })
})

describe("several servers", () => {
  it("one that is silent does not hide what the others say, and each answer can be seen", async () => {
    const other = await startDnsServer()
    other.fault("mixed.acme.com", "silence")
    server.answer("mixed.acme.com", "TXT", ["here"])
    const both = createDns({ servers: [other, server], timeoutMs: 300 })
    const answer = await both.txt("mixed.acme.com")
    expect(answer).toMatchObject({ kind: "found", values: ["here"] })
    expect(answer.askedServers.map((asked) => asked.answer.kind)).toEqual(["error", "found"])
    await other.close()
  })
})

describe("the servers that are queried", () => {
  it("asks the servers that the zone names, not the resolver's own copy", async () => {
    const authority = await startDnsServer()
    server.answer("zone.com", "NS", ["ns1.zone.com"])
    server.answer("ns1.zone.com", "A", ["127.0.0.1"])
    server.answer("deep.under.zone.com", "TXT", ["stale copy"])
    authority.answer("deep.under.zone.com", "TXT", ["fresh"])
    const walked = createDns({
      resolvers: [server],
      authorityPort: authority.port,
      privateAuthorities: true,
      timeoutMs: 300,
    })
    expect(await walked.txt("deep.under.zone.com")).toMatchObject({ kind: "found", values: ["fresh"] })
    await authority.close()
    expect(await walked.txt("deep.under.zone.com")).toMatchObject({ kind: "found", values: ["stale copy"] })
  })

  it("never asks a private address that a stranger's zone names as its server", async () => {
    const inside = await startDnsServer()
    server.answer("evil.com", "NS", ["ns.evil.com"])
    server.answer("ns.evil.com", "A", ["127.0.0.1"])
    server.answer("evil.com", "TXT", ["from the resolver"])
    inside.answer("evil.com", "TXT", ["from inside"])
    const walked = createDns({ resolvers: [server], authorityPort: inside.port, timeoutMs: 300 })
    expect(await walked.txt("evil.com")).toMatchObject({ kind: "found", values: ["from the resolver"] })
    expect(inside.questions).toEqual([])
    await inside.close()
  })

  it("asks the local server alone for names in its zones", async () => {
    const sandbox = await startDnsServer()
    sandbox.answer("acme.test", "TXT", ["sandbox"])
    server.answer("acme.test", "TXT", ["public"])
    const split = createDns({
      resolvers: [server],
      local: { zones: ["test"], server: sandbox },
      timeoutMs: 300,
    })
    expect(await split.txt("acme.test")).toMatchObject({ kind: "found", values: ["sandbox"] })
    await sandbox.close()
    expect((await split.txt("acme.test")).kind).toBe("error")
  })
})
