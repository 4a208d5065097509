import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { createPrivateKey, createPublicKey } from "node:crypto"
import { createDns, type Dns } from "@/lib/platform/dns/dns"
import { startDnsServer, type TestDnsServer } from "@/e2e/support/platform/dns-server"
import { provideEnv } from "@/lib/platform/env/env"
import { newId } from "@/lib/platform/ids"
import { generateDkimKey } from "@/lib/domains/keys/dkim-keys"
import { chooseMailFromDomain } from "@/lib/domains/registration/register"
import { recordsToPublish, type Registration, selector } from "@/lib/domains/records/records"
import { zoneFile } from "@/lib/domains/records/zone-file"

const domainId = "01966d2c-7c00-7000-8000-0123456789ab"
const service = { serviceDomain: "mailroom.test", reportDomain: "dmarc.mailroom.test" }
const longKey = "A".repeat(392)
const registration: Registration = {
  domain: "acme.com",
  region: "eu-west-1",
  mailFromDomain: "send.acme.com",
  trackingDomain: "links.acme.com",
  keys: [
    { record: "dkim-a", selector: selector(domainId, "a"), publicKey: longKey, active: true },
    { record: "dkim-b", selector: selector(domainId, "b"), publicKey: "Qg==", active: false },
  ],
  reportToken: "tok",
  policy: { kind: "none" },
  logo: { logoUrl: null, vmcUrl: null },
}
const records = recordsToPublish(registration, service)

describe("the records to publish", () => {
  it("lead MAIL FROM to Amazon SES where the region sends by it, and stay as they are otherwise", () => {
    vi.stubEnv("SMTP_URL_EU_WEST_1", "ses://eu-central-1")
    provideEnv({})
    const bySes = recordsToPublish(registration, service)
    vi.unstubAllEnvs()
    provideEnv({})
    const changed = bySes.filter((record, at) => record.value !== records[at]?.value)
    expect(changed.map(({ name, type, value, priority }) => [name, type, value, priority])).toEqual([
      ["send.acme.com", "MX", "feedback-smtp.eu-central-1.amazonses.com", 10],
      ["send.acme.com", "TXT", "v=spf1 include:amazonses.com ~all", undefined],
    ])
  })

  it("are two keys, MAIL FROM, and the optional policy and alias", () => {
    expect(records.map(({ name, type, value, priority, optional }) => [name, type, value, priority, optional])).toEqual(
      [
        [`${selector(domainId, "a")}._domainkey.acme.com`, "TXT", `v=DKIM1; k=rsa; p=${longKey}`, undefined, undefined],
        [`${selector(domainId, "b")}._domainkey.acme.com`, "TXT", "v=DKIM1; k=rsa; p=Qg==", undefined, undefined],
        ["send.acme.com", "MX", "feedback.eu-west-1.mailroom.test", 10, undefined],
        ["send.acme.com", "TXT", "v=spf1 include:spf.eu-west-1.mailroom.test ~all", undefined, undefined],
        ["_dmarc.acme.com", "TXT", "v=DMARC1; p=none; rua=mailto:tok@dmarc.mailroom.test", undefined, true],
        ["links.acme.com", "CNAME", "track.mailroom.test", undefined, true],
      ],
    )
  })

  it("have selectors of their own per registration, also among neighbours in time", () => {
    expect(selector(domainId, "a")).toMatch(/^mr[a-z2-7]{6}a$/)
    const many = Array.from({ length: 2000 }, () => selector(newId(), "a"))
    expect(new Set(many).size).toBeGreaterThan(1997)
  })
})

describe("a key pair", () => {
  it("is RSA of 2048 bits, and the published half belongs to the private one", async () => {
    const pair = await generateDkimKey()
    const key = createPrivateKey(pair.privateKeyPem)
    expect(key.asymmetricKeyDetails?.modulusLength).toBe(2048)
    expect(createPublicKey(key).export({ type: "spki", format: "der" }).toString("base64")).toBe(pair.publicKeyBase64)
  })
})

describe("the zone file", () => {
  const lines = zoneFile("acme.com", records, new Date()).split("\n")

  it("splits long texts into quoted strings of at most 255 octets that join to the value", () => {
    const line = lines.find((text) => text.startsWith(selector(domainId, "a"))) ?? ""
    const strings = [...line.matchAll(/"([^"]*)"/g)].map((match) => match[1] ?? "")
    expect(strings.length).toBe(2)
    for (const text of strings) expect(text.length).toBeLessThanOrEqual(255)
    expect(strings.join("")).toBe(`v=DKIM1; k=rsa; p=${longKey}`)
  })

  it("writes every name absolutely", () => {
    expect(lines).toContain("send.acme.com. 300 IN MX 10 feedback.eu-west-1.mailroom.test.")
    expect(lines).toContain("links.acme.com. 300 IN CNAME track.mailroom.test.")
    expect(lines.at(-1)).toBe("")
  })

  it("writes what conflicts with an import as a comment, each line of it", () => {
    const [dmarc] = records.filter(({ key }) => key === "dmarc")
    if (!dmarc) throw new Error("no policy")
    const policy = "v=DMARC1; p=reject"
    const text = zoneFile("acme.com", [{ ...dmarc, status: "pending", found: [policy] }], new Date())
    expect(text.split("\n").slice(2)).toEqual([
      `; replaces the current record: ${policy}`,
      `; _dmarc.acme.com. 300 IN TXT "${dmarc.value}"`,
      "",
    ])
  })

  it("escapes what would end a string early", () => {
    const text = zoneFile("a.test", [{ key: "dmarc", name: "_dmarc.a.test", type: "TXT", value: 'a"b\\c' }], new Date())
    expect(text).toContain('IN TXT "a\\"b\\\\c"')
  })
})

describe("the MAIL FROM domain", () => {
  let server: TestDnsServer
  let dns: Dns
  beforeAll(async () => {
    server = await startDnsServer()
    dns = createDns({ servers: [server], timeoutMs: 3_000, totalMs: 12_000 })
  })
  afterAll(() => server.close())
  const choose = (used: string[] = []) =>
    chooseMailFromDomain(dns, { domain: "acme.com", region: "eu-west-1", domainId, used: new Set(used) })

  it("is the first name at which nothing is published and that nobody here uses", async () => {
    expect(await choose()).toBe("send.acme.com")
    expect(await choose(["send.acme.com"])).toBe("bounce.acme.com")
    server.answer("send.acme.com", "MX", [{ exchange: "feedback-smtp.us-east-1.amazonses.com", preference: 10 }])
    expect(await choose()).toBe("bounce.acme.com")
    server.answer("bounce.acme.com", "CNAME", ["elsewhere.com"])
    expect(await choose(["mrsend.acme.com"])).toBe("mr-eu-west-1.acme.com")
  })

  it("is a name of this registration alone when all others are taken", async () => {
    expect(await choose(["send", "bounce", "mrsend", "mr-eu-west-1"].map((label) => `${label}.acme.com`))).toBe(
      `${selector(domainId, "a").slice(0, -1).replace("mr", "mr-")}.acme.com`,
    )
  })

  it("is not hidden by a wildcard, which answers at every name", async () => {
    server.forgetAll()
    const probe = `${selector(domainId, "a").slice(0, -1).replace("mr", "mr-")}-probe.acme.com`
    for (const name of [probe, "send.acme.com", "bounce.acme.com"]) server.answer(name, "A", ["192.0.2.1"])
    expect(await choose()).toBe("send.acme.com")
  })

  it("is still chosen while the name servers are down", async () => {
    server.forgetAll()
    for (const label of ["send", "bounce", "mrsend", "mr-eu-west-1"]) server.fault(`${label}.acme.com`, "SERVFAIL")
    expect(await choose()).toBe("send.acme.com")
    expect(await choose(["send.acme.com"])).toBe("bounce.acme.com")
  })
})
