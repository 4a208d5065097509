import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { createDns, type Dns } from "@/lib/platform/dns/dns"
import { startDnsServer, type TestDnsServer } from "@/lib/platform/dns/dns-server.fixture"
import { compareDmarc } from "@/lib/domains/check/compare-dmarc"

let server: TestDnsServer
let dns: Dns

beforeAll(async () => {
  server = await startDnsServer()
  dns = createDns({ servers: [server], timeoutMs: 300, totalMs: 1500 })
})
afterEach(() => server.forgetAll())
afterAll(() => server.close())

const uri = "mailto:tok3n@dmarc.mailroom.example"
const expected = {
  domain: "mail.acme.com",
  organizationalDomain: "acme.com",
  uri,
  reportDomain: "dmarc.mailroom.example",
}
const own = "_dmarc.mail.acme.com"
const inherited = "_dmarc.acme.com"
const publish = (name: string, ...texts: string[]) => server.answer(name, "TXT", texts)

describe("without a policy", () => {
  it("p=none at the organizational domain is recommended", async () => {
    expect(await compareDmarc(dns, expected)).toEqual({
      status: "not_configured",
      finding: { outcome: "missing", found: [] },
      record: { name: inherited, value: `v=DMARC1; p=none; rua=${uri}` },
    })
  })

  it("a record under the doubled zone is recognised", async () => {
    publish("_dmarc.acme.com.acme.com", "v=DMARC1; p=none")
    expect((await compareDmarc(dns, expected)).finding).toMatchObject({
      outcome: "missing",
      likelyCause: { code: "doubled-zone" },
    })
  })

  it("a failing name server leaves the status open", async () => {
    server.fault(own, "SERVFAIL")
    expect(await compareDmarc(dns, expected)).toMatchObject({ status: null, finding: { outcome: "unknown" } })
  })
})

describe("with a policy that applies already", () => {
  it.each([
    ["its own", own, "v=DMARC1; p=reject; adkim=s", `v=DMARC1; p=reject; adkim=s; rua=${uri}`],
    ["an inherited one", inherited, "v=DMARC1;p=reject;sp=quarantine", `v=DMARC1; p=reject; sp=quarantine; rua=${uri}`],
    [
      "one with reports elsewhere",
      own,
      "v=DMARC1; p=none; rua=mailto:a@x.com; fo=1",
      `v=DMARC1; p=none; rua=mailto:a@x.com,${uri}; fo=1`,
    ],
    ["one with obsolete tags", own, "v=DMARC1; p=none; pct=100; rf=afrf; ri=86400", `v=DMARC1; p=none; rua=${uri}`],
    ["one that a pct weakens", own, "v=DMARC1; p=reject; pct=10", `v=DMARC1; p=reject; pct=10; rua=${uri}`],
  ])("that record is shown at its name with our address appended: %s", async (_, name, text, value) => {
    publish(name, text)
    expect(await compareDmarc(dns, expected)).toMatchObject({
      status: "verified",
      finding: { outcome: "invalid", found: [text], likelyCause: { code: "dmarc-rua-missing" } },
      record: { name, value },
    })
  })

  it("the domain's own wins over its parent's", async () => {
    publish(own, "v=DMARC1; p=none")
    publish(inherited, "v=DMARC1; p=reject")
    expect((await compareDmarc(dns, expected)).record.name).toBe(own)
  })

  it("the walk ends at psd=n, and one label below psd=y", async () => {
    const deep = { ...expected, domain: "a.b.acme.com" }
    publish("_dmarc.b.acme.com", "v=DMARC1; p=quarantine; psd=n")
    publish(inherited, "v=DMARC1; p=reject")
    expect((await compareDmarc(dns, deep)).record.name).toBe("_dmarc.b.acme.com")
    server.forgetAll()
    publish("_dmarc.com", "v=DMARC1; p=none; psd=y")
    publish(inherited, "v=DMARC1; p=reject")
    publish("_dmarc.b.acme.com", "v=DMARC1; p=quarantine")
    expect((await compareDmarc(dns, deep)).record.name).toBe(inherited)
  })

  it("a record that another service manages through a CNAME is named as such", async () => {
    server.answer(own, "CNAME", ["acme.dmarc.vendor.com"])
    publish("acme.dmarc.vendor.com", "v=DMARC1; p=reject")
    expect(await compareDmarc(dns, expected)).toMatchObject({
      status: "verified",
      finding: { outcome: "invalid", likelyCause: { code: "dmarc-vendor-hosted" } },
    })
  })

  it("our address counts once the report domain gives its consent for this very domain", async () => {
    publish(inherited, `v=DMARC1; p=none; rua=mailto:a@x.com, MAILTO:tok3n@DMARC.mailroom.example!10m`)
    expect((await compareDmarc(dns, expected)).finding).toMatchObject({ likelyCause: { code: "dmarc-not-authorized" } })
    publish("acme.com._report._dmarc.dmarc.mailroom.example", "v=DMARC1;")
    expect((await compareDmarc(dns, expected)).finding.outcome).toBe("valid")
  })

  it("another organization's token on our report domain is not ours", async () => {
    publish(inherited, "v=DMARC1; p=none; rua=mailto:other@dmarc.mailroom.example")
    expect((await compareDmarc(dns, expected)).finding.outcome).toBe("invalid")
  })
})

describe("with records that receivers ignore", () => {
  it.each([
    ["dmarc-several", ["v=DMARC1; p=none", "v=DMARC1; p=reject"]],
    ["quoted", ['"v=DMARC1; p=reject"']],
    ["escaped-semicolon", ["v=DMARC1\\; p=reject"]],
    ["dmarc-invalid", ["v=DMARC1 p=reject"]],
    ["dmarc-invalid", ["v=dmarc1; p=reject"]],
    ["dmarc-invalid", ["v=DMARC1; p=rejekt"]],
  ])("the status is failed and the likely cause is %s", async (code, texts) => {
    publish(own, ...texts)
    const result = await compareDmarc(dns, expected)
    expect(result).toMatchObject({
      status: "failed",
      finding: { outcome: "invalid", likelyCause: { code } },
      record: { name: own },
    })
    expect(result.record.value).toContain(uri)
  })

  it("what is recommended in their place is not weaker than what was meant", async () => {
    publish(own, "v=DMARC1 p=reject")
    expect((await compareDmarc(dns, expected)).record.value).toBe(`v=DMARC1; p=reject; rua=${uri}`)
  })

  it("an unrelated TXT at the name is no record", async () => {
    publish(own, "hello")
    expect((await compareDmarc(dns, expected)).status).toBe("not_configured")
  })

  it("a record without p that asks for reports counts as p=none", async () => {
    publish(own, "v=DMARC1; rua=mailto:a@x.com")
    expect((await compareDmarc(dns, expected)).status).toBe("verified")
  })
})
