import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { createDns, type Dns } from "@/lib/platform/dns/dns"
import { startDnsServer, type TestDnsServer } from "@/e2e/support/platform/dns-server"
import {
  compareOne,
  compareRecords,
  compareTracking,
  type Expectation,
  compareMx,
  compareSpf,
  compareDkim,
} from "@/lib/domains/check/compare"
import { measured } from "@/e2e/support/measured"
import { evaluateSpf, readSpf } from "@/lib/domains/check/spf"
import { txtStrings } from "@/lib/domains/records/zone-file"

let server: TestDnsServer
let dns: Dns

beforeAll(async () => {
  server = await startDnsServer()
  dns = createDns({ servers: [server], timeoutMs: 3_000, totalMs: 12_000 })
})
afterEach(() => server.forgetAll())
afterAll(() => server.close())

const key = "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA" + "u3Zk9".repeat(66) + "QIDAQAB"
const place = (name: string) => ({ name, domain: "mail.acme.com", zone: "acme.com" })
const selector = place("mrabc234a._domainkey.mail.acme.com")
const mailFrom = place("send.mail.acme.com")
const feedback = "feedback.eu-west-1.mailroom.example"
const include = "spf.eu-west-1.mailroom.example"

describe("a DKIM key", () => {
  it.each([
    ["as shown", `v=DKIM1; k=rsa; p=${key}`],
    ["with other white space and a final space", `v=DKIM1;k=rsa ;  p= ${key.slice(0, 90)} ${key.slice(90)} `],
    ["with the tags in another order and extra ones", `p=${key}; n=hello; k=rsa; s=email; h=sha1:sha256`],
    ["with a flag that is no test flag", `v=DKIM1; t=s; p=${key};`],
  ])("is right %s", async (_, text) => {
    server.answer(selector.name, "TXT", [txtStrings(text)])
    expect(await compareDkim(dns, selector, { publicKey: key })).toMatchObject({ outcome: "valid", found: [text] })
  })

  it("is right when it comes in odd pieces of four kilobytes over TCP", async () => {
    const text = `v=DKIM1; k=rsa; n=${"x".repeat(3600)}; p=${key}`
    server.answer(selector.name, "TXT", [text.match(/.{1,97}/g) ?? []])
    expect((await compareDkim(dns, selector, { publicKey: key })).outcome).toBe("valid")
  })

  it.each([
    ["quoted", [`"v=DKIM1; k=rsa; p=${key}"`]],
    ["escaped-semicolon", [`v=DKIM1\\; k=rsa\\; p=${key}`]],
    ["testing-flag", [`v=DKIM1; k=rsa; t=y; p=${key}`]],
    ["testing-flag", [`v=DKIM1; t=s:y; p=${key}`]],
    ["dkim-hash", [`v=DKIM1; k=rsa; h=sha1; p=${key}`]],
    ["dkim-service", [`v=DKIM1; k=rsa; s=tlsrpt; p=${key}`]],
    ["dkim-version-order", [`k=rsa; v=DKIM1; p=${key}`]],
    ["other-value", [`v=DKIM1; k=rsa; P=${key}`]],
    ["revoked-key", ["v=DKIM1; k=rsa; p="]],
    ["other-key", [`v=DKIM1; k=rsa; p=${key.replace("u3Zk9", "u3Zk8")}`]],
    ["truncated", [`v=DKIM1; k=rsa; p=${key.slice(0, 200)}`]],
    ["truncated", [key.slice(200)]],
    ["other-value", ["v=spf1 -all"]],
    ["other-value", [`v=DKIM1; k=ed25519; p=${key}`]],
    ["several-records", [`v=DKIM1; k=rsa; p=${key}`, "v=DKIM1; k=rsa; p=AAAA"]],
    ["several-records", [`v=DKIM1; k=rsa; p=${key}`, "some wildcard"]],
    ["split-records", [`v=DKIM1; k=rsa; p=${key.slice(0, 200)}`, key.slice(200)]],
  ])("with %s is recognised", async (code, texts) => {
    server.answer(selector.name, "TXT", texts.map(txtStrings))
    const finding = await compareDkim(dns, selector, { publicKey: key })
    expect(finding).toMatchObject({ outcome: "invalid", likelyCause: { code } })
    expect(finding.found.toSorted()).toEqual(texts.toSorted())
  })

  it.each(["acme.com", "mail.acme.com"])("under the name with %s appended again is recognised", async (zone) => {
    server.answer(`${selector.name}.${zone}`, "TXT", [txtStrings(`v=DKIM1; k=rsa; p=${key}`)])
    expect(await compareDkim(dns, selector, { publicKey: key })).toMatchObject({
      outcome: "missing",
      likelyCause: { code: "doubled-zone", facts: { host: "mrabc234a._domainkey.mail" } },
    })
  })

  it("may be published through a CNAME", async () => {
    server.answer(selector.name, "CNAME", ["keys.vendor.com"])
    server.answer("keys.vendor.com", "TXT", [txtStrings(`v=DKIM1; k=rsa; p=${key}`)])
    expect((await compareDkim(dns, selector, { publicKey: key })).outcome).toBe("valid")
  })

  it("whose name is an alias to nowhere is recognised", async () => {
    server.answer(selector.name, "CNAME", ["proxy.vendor.com"])
    expect(await compareDkim(dns, selector, { publicKey: key })).toMatchObject({
      likelyCause: { code: "cname-in-the-way" },
    })
  })

  it("that is not there is missing; a failing server says nothing", async () => {
    expect(await compareDkim(dns, selector, { publicKey: key })).toEqual({ outcome: "missing", found: [] })
    server.fault(selector.name, "SERVFAIL")
    expect(await compareDkim(dns, selector, { publicKey: key })).toEqual({ outcome: "unknown", found: [] })
    server.fault(selector.name, "silence")
    const hasty = createDns({ servers: [server], timeoutMs: 300, totalMs: 1_500 })
    expect((await compareDkim(hasty, selector, { publicKey: key })).outcome).toBe("unknown")
  })
})

describe("the MAIL FROM MX", () => {
  const mx = (exchange: string, preference = 10) => ({ exchange, preference })

  it("is right when it is ours alone, whatever its priority and case", async () => {
    server.answer(mailFrom.name, "MX", [mx("Feedback.EU-West-1.mailroom.example.", 20)])
    expect(await compareMx(dns, mailFrom, feedback)).toEqual({ outcome: "valid", found: [`20 ${feedback}`] })
  })

  it.each([
    ["extra-mx", [mx(feedback), mx("mx.other.com")]],
    ["other-mx", [mx("feedback-smtp.eu-west-1.amazonses.com")]],
    ["other-mx", [mx(".", 0)]],
    ["doubled-zone", [mx(`${feedback}.acme.com`)]],
  ])("with %s is recognised", async (code, values) => {
    server.answer(mailFrom.name, "MX", values)
    expect(await compareMx(dns, mailFrom, feedback)).toMatchObject({ outcome: "invalid", likelyCause: { code } })
  })

  it("at the domain itself or under the doubled zone is recognised", async () => {
    server.answer("mail.acme.com", "MX", [mx(feedback)])
    expect(await compareMx(dns, mailFrom, feedback)).toMatchObject({
      outcome: "missing",
      likelyCause: { code: "wrong-host" },
    })
    server.answer("send.mail.acme.com.acme.com", "MX", [mx(feedback)])
    expect(await compareMx(dns, mailFrom, feedback)).toMatchObject({
      likelyCause: { code: "doubled-zone", facts: { host: "send.mail" } },
    })
  })
})

describe("the MAIL FROM SPF record", () => {
  const ours = `v=spf1 include:${include} ~all`
  const egress = () => server.answer(include, "TXT", ["v=spf1 ip4:192.0.2.0/28 ip6:2001:db8::25 -all"])

  it("is right as shown, even before our own list can be read", async () => {
    server.answer(mailFrom.name, "TXT", [ours, "google-site-verification=abc"])
    expect(await compareSpf(dns, mailFrom, include)).toEqual({ outcome: "valid", found: [ours] })
  })

  it.each([
    `v=spf1 a:none.acme.com include:${include} -all`,
    "v=spf1 ip4:192.0.2.0/24 ip6:2001:db8::/32 -all",
    `v=spf1 redirect=${include}`,
    `V=SPF1   INCLUDE:${include}  ?all`,
  ])("is right when it passes for our addresses: %s", async (text) => {
    egress()
    server.answer(mailFrom.name, "TXT", [text])
    expect(await compareSpf(dns, mailFrom, include)).toMatchObject({ outcome: "valid" })
  })

  it.each([
    ["spf-not-passing", ["v=spf1 include:amazonses.com ~all"]],
    ["spf-not-passing", ["v=spf1 ip4:192.0.2.0/24 -all"]],
    ["spf-not-passing", [`v=spf1 -all include:${include}`]],
    ["spf-syntax", [`v=spf1 includ:${include} ~all`]],
    ...[
      "ip4:mail.acme.test",
      "ip4:192.0.2.256",
      "ip4:192.0.02.1",
      "ip4:a,b",
      "ip4:",
      "ip4",
      "ip4:192.0.2.0/33",
      "ip4:192.0.2.0/024",
      "ip4:192.0.2.0//24",
      "ip4:2001:db8::1",
      "ip6:192.0.2.1",
      "ip6:2001:db8::1/129",
      "ip6:fe80::1%eth0",
      "a:192.0.2.1",
      "a:",
      "a/",
      "a/33",
      "a:acme.com/024",
      "a//129",
      "mx:acme",
      "mx:acme.com/24/64",
      "ptr/24",
      "include",
      "include:acme.com/24",
      "exists",
      "exists:%{x}.acme.com",
      "exists:%{c}.acme.com",
      "exists:%{i0}.acme.com",
      "exists:%{i.acme.com",
      "exists:%.acme.com",
      "all:acme.com",
      "-all/8",
      "redirect=",
      "redirect:acme.com",
      "redirect=a.acme.com redirect=b.acme.com",
      "exp=a.acme.com exp=b.acme.com",
      "note=100%",
      "+note=x",
      "=x",
      "ипсум",
      "a,mx",
      "ip4:192.0.2.1;",
      "a\tmx",
    ].map((term): [string, string[]] => ["spf-syntax", [`v=spf1 include:${include} ${term} ~all`]]),
    ["spf-syntax", ["v=spf1 include:nowhere.acme.com ~all"]],
    ["spf-voids", [`v=spf1 a:x1.acme.com a:x2.acme.com a:x3.acme.com include:${include} ~all`]],
    ["spf-lookups", [`v=spf1 ${Array.from({ length: 10 }, () => "a:a.acme.com").join(" ")} include:${include} ~all`]],
    ["several-records", [`v=spf1 include:${include} ~all`, "v=spf1 -all"]],
    ["quoted", [`"v=spf1 include:${include} ~all"`]],
    ["unreadable", [`v=spf1; include:${include} ~all`]],
  ])("with %s is recognised", async (code, texts) => {
    egress()
    server.answer("amazonses.com", "TXT", ["v=spf1 ip4:198.51.100.0/24 -all"])
    server.answer("a.acme.com", "A", ["198.51.100.1"])
    server.answer(mailFrom.name, "TXT", texts)
    expect(await compareSpf(dns, mailFrom, include)).toMatchObject({ outcome: "invalid", likelyCause: { code } })
  })

  it.each([
    "a a:acme.com a:acme.com/24 a:acme.com//64 a:acme.com/24//64 a/0//0 a:foo:8080.acme.com. a:1.2.3.acme-1.4-com",
    "mx mx/24 ptr ptr:acme.com ip4:192.0.2.1 ip6:::1 ip6:2001:DB8::/32 ip6:::ffff:192.0.2.1",
    "exists:%{ir}.%{v}._spf.%{d2} exists:%{l1r-+}.%%%_%-x.acme.com exists:%{d} include:%{D}._spf.acme.com",
    "exp=%{d}.acme.com note=%{t}x moo.cow-far_out=man:dog/cat note= include=acme.com redirect=acme.com",
  ])("with %s in it is valid SPF", (terms) => {
    expect(readSpf(`v=spf1  ${terms} ~all `)).not.toHaveProperty("invalid")
  })

  it("that is broken names the term, in a record that ours includes too", async () => {
    egress()
    server.answer(mailFrom.name, "TXT", [`v=spf1 include:crm.acme.com include:${include} ~all`])
    server.answer("crm.acme.com", "TXT", ["v=spf1 ip4:192.0.2.256 -all"])
    const { likelyCause } = await compareSpf(dns, mailFrom, include)
    const facts = { term: "ip4:192.0.2.256", includedFrom: "crm.acme.com" }
    expect(likelyCause).toEqual({ code: "spf-syntax", facts })
  })

  it("at the domain itself is recognised; the domain's own SPF record is not read otherwise", async () => {
    server.answer("mail.acme.com", "TXT", ["v=spf1 -all"])
    expect(await compareSpf(dns, mailFrom, include)).toEqual({ outcome: "missing", found: [] })
    server.answer("mail.acme.com", "TXT", [ours])
    expect(await compareSpf(dns, mailFrom, include)).toMatchObject({
      outcome: "missing",
      likelyCause: { code: "wrong-host" },
    })
  })

  it("is unknown while a name that it needs cannot be looked up", async () => {
    egress()
    server.answer(mailFrom.name, "TXT", [`v=spf1 include:down.acme.com include:${include} ~all`])
    server.fault("down.acme.com", "SERVFAIL")
    expect((await compareSpf(dns, mailFrom, include)).outcome).toBe("unknown")
  })
})

describe("the tracking alias", () => {
  const links = place("links.mail.acme.com")
  const target = "track.mailroom.example"

  it("is right when it leads to us", async () => {
    server.answer(links.name, "CNAME", ["Track.Mailroom.Example."])
    expect(await compareTracking(dns, links, target)).toEqual({ outcome: "valid", found: [target] })
  })

  it("elsewhere, doubled, proxied or absent is told apart", async () => {
    expect(await compareTracking(dns, links, target)).toEqual({ outcome: "missing", found: [] })
    server.answer(links.name, "A", ["192.0.2.7"])
    expect(await compareTracking(dns, links, target)).toMatchObject({
      outcome: "invalid",
      likelyCause: { code: "proxied" },
    })
    server.forgetAll()
    server.answer(links.name, "CNAME", ["other.example"])
    expect(await compareTracking(dns, links, target)).toMatchObject({ likelyCause: { code: "other-target" } })
    server.answer(links.name, "CNAME", [`${target}.acme.com`])
    expect(await compareTracking(dns, links, target)).toMatchObject({ likelyCause: { code: "doubled-zone" } })
    server.forgetAll()
    server.answer(`${links.name}.acme.com`, "CNAME", [target])
    expect(await compareTracking(dns, links, target)).toMatchObject({
      outcome: "missing",
      likelyCause: { code: "doubled-zone" },
    })
  })
})

describe("a wildcard above the names", () => {
  const wanted: Expectation = {
    domain: "acme.com",
    organizationalDomain: "acme.com",
    dkim: {
      a: { name: "mra._domainkey.acme.com", publicKey: key },
      b: { name: "mrb._domainkey.acme.com", publicKey: key },
    },
    mailFromDomain: "send.acme.com",
    feedbackHost: feedback,
    spfHost: include,
    trackingDomain: "links.acme.com",
    trackingTarget: "track.mailroom.example",
    reportUri: "mailto:tok@dmarc.mailroom.example",
    reportDomain: "dmarc.mailroom.example",
    bimi: { name: "default._bimi.acme.com", value: "v=BIMI1; l=https://acme.com/l.svg; a=;" },
  }
  const asked = [
    "mra._domainkey.acme.com",
    "mrb._domainkey.acme.com",
    "send.acme.com",
    "links.acme.com",
    "default._bimi.acme.com",
    "_dmarc.acme.com",
    "mr-wildcard-probe.acme.com",
    "mr-wildcard-probe._domainkey.acme.com",
    "mr-wildcard-probe._bimi.acme.com",
  ]
  const codes = async () => {
    const { findings } = await compareRecords(dns, wanted)
    return Object.values(findings).map(({ outcome, found, likelyCause }) => [outcome, found, likelyCause?.code])
  }

  it.each([
    ["a CNAME to nothing", () => asked.forEach((name) => server.answer(name, "CNAME", ["shop.vendor.com"]))],
    [
      "a CNAME to other records",
      () => {
        for (const name of asked) server.answer(name, "CNAME", ["shop.vendor.com"])
        server.answer("shop.vendor.com", "TXT", ["v=spf1 -all"])
        server.answer("shop.vendor.com", "MX", [{ exchange: "mx.vendor.com", preference: 1 }])
        server.answer("shop.vendor.com", "A", ["192.0.2.1"])
      },
    ],
  ])("%s is named as such, and nobody is told to delete or replace what is not there", async (_, publish) => {
    publish()
    for (const [outcome, found, code] of await codes())
      expect({ outcome, found, code }).toEqual({ outcome: "missing", found: [], code: "wildcard" })
  })

  it("is not blamed for a record at the name itself", async () => {
    for (const name of asked) server.answer(name, "CNAME", ["shop.vendor.com"])
    server.answer("send.acme.com", "CNAME", ["other.vendor.com"])
    expect((await compareOne(dns, wanted, "mail-from-mx")).likelyCause?.code).toBe("cname-in-the-way")
  })
})

it("an SPF record whose hosts have thousands of addresses is judged within 300 ms of CPU", measured, async () => {
  const terms = Array.from({ length: 10 }, (_, at) => `mx:m${at}.test`).join(" ")
  const hosts = Array.from({ length: 10 }, (_, at) => ({ exchange: `x${at}.test`, priority: 1 }))
  const addresses = Array.from({ length: 4_000 }, (_, at) => `10.${at >> 8}.${at & 255}.1`)
  const found = (values: unknown[]) => async () => ({ kind: "found", values })
  const hostile = { txt: found([`v=spf1 ${terms} -all`]), mx: found(hosts), addresses: found(addresses) }
  const before = process.cpuUsage()
  expect(await evaluateSpf(hostile as unknown as Dns, "acme.test", "192.0.2.1")).toEqual({ result: "fail" })
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1_000, "milliseconds of CPU").toBeLessThan(300)
})
