import fc from "fast-check"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { createDns, type Dns } from "@/lib/platform/dns/dns"
import { startDnsServer, type TestDnsServer } from "@/e2e/support/platform/dns-server"
import { isDmarc, recommendedDmarc, parseTags } from "@/lib/domains/records/dmarc-record"
import { compareDmarc, discoverDmarc } from "@/lib/domains/check/dmarc"

let server: TestDnsServer
let dns: Dns

beforeAll(async () => {
  server = await startDnsServer()
  dns = createDns({ servers: [server], timeoutMs: 3_000, totalMs: 12_000 })
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
      published: { kind: "none" },
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
    [
      "one with obsolete tags",
      own,
      "v=DMARC1; p=none; pct=100; rf=afrf; ri=86400",
      `v=DMARC1; p=none; pct=100; rf=afrf; ri=86400; rua=${uri}`,
    ],
    ["one with names in capitals", own, "V=DMARC1; P=REJECT; SP=None", `v=DMARC1; p=REJECT; sp=None; rua=${uri}`],
    [
      "one with an earlier address of ours",
      own,
      "v=DMARC1; p=none; rua=mailto:a@x.com,mailto:tok3n@dmarc.old.example!10m,mailto:b@y.com",
      `v=DMARC1; p=none; rua=mailto:a@x.com,mailto:b@y.com,${uri}`,
    ],
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

describe("with a policy of a public suffix", () => {
  const ofBank = { ...expected, domain: "mail.acme.bank", organizationalDomain: "acme.bank" }

  it.each([
    ["v=DMARC1; p=reject; rua=mailto:registry@x.com; psd=y", "reject"],
    ["v=DMARC1; p=none; sp=quarantine", "quarantine"],
  ])("%s applies, and the record to publish is the owner's own with that policy", async (text, policy) => {
    publish("_dmarc.bank", text)
    expect(await compareDmarc(dns, ofBank)).toMatchObject({
      status: "verified",
      finding: { outcome: "missing", found: [] },
      record: { name: "_dmarc.acme.bank", value: `v=DMARC1; p=${policy}; rua=${uri}` },
    })
  })

  it.each([["v=DMARC1; p=rejekt"], ["v=DMARC1; p=none", "v=DMARC1; p=reject"]])(
    "records that are not valid there (%s) are no fault of the owner's",
    async (...texts) => {
      publish("_dmarc.bank", ...texts)
      expect(await compareDmarc(dns, ofBank)).toMatchObject({
        status: "not_configured",
        record: { name: "_dmarc.acme.bank", value: `v=DMARC1; p=none; rua=${uri}` },
      })
    },
  )
})

describe("with records that receivers ignore", () => {
  it.each([
    ["dmarc-several", ["v=DMARC1; p=reject; rua=mailto:a@x.com", "v=DMARC1; p=reject"]],
    ["quoted", ['"v=DMARC1; p=reject"']],
    ["escaped-semicolon", ["v=DMARC1\\; p=reject"]],
    ["dmarc-invalid", ["v=DMARC1 p=reject"]],
    ["dmarc-invalid", ["v=dmarc1; p=reject"]],
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

  it.each([
    ["v=DMARC1 p=reject", "v=DMARC1; p=reject"],
    ["v=DMARC1, p=none, sp=reject", "v=DMARC1; p=none; sp=reject"],
    ["v=DMARC1; np=reject p=quarantine", "v=DMARC1; p=quarantine; np=reject"],
    ["v=DMARC1: p:none; adkim=s", "v=DMARC1; p=none; adkim=s"],
    ["p=reject; v=DMARC1", "v=DMARC1; p=reject"],
    ["p=quarantine", "v=DMARC1; p=quarantine"],
    ["v=DMARC; p=reject", "v=DMARC1; p=reject"],
    ["v=dmarc1; p=reject; fo=1", "v=DMARC1; p=reject; fo=1"],
    ["“v=DMARC1; p=reject”", "v=DMARC1; p=reject"],
    ['"v=DMARC1; p=reject"', "v=DMARC1; p=reject"],
    ["v=DMARC1; p=reject; p=reject", "v=DMARC1; p=reject"],
    ["v=DMARC1\\; p=none\\; sp=quarantine", "v=DMARC1; p=none; sp=quarantine"],
  ])("what is recommended in place of %s is the same policy in valid syntax", async (text, value) => {
    publish(own, text)
    expect((await compareDmarc(dns, expected)).record).toEqual({ name: own, value: `${value}; rua=${uri}` })
  })

  it("every report address of a record that is repaired stays, whatever separates them", async () => {
    publish(own, "v=DMARC1, p=none, rua=mailto:a@x.com!10m; mailto:b@y.com mailto:c@z.com, ruf=mailto:f@x.com")
    expect((await compareDmarc(dns, expected)).record.value).toBe(
      `v=DMARC1; p=none; rua=mailto:a@x.com!10m,mailto:b@y.com,mailto:c@z.com,${uri}; ruf=mailto:f@x.com`,
    )
  })

  it("several records that agree become one with the addresses of all", async () => {
    publish(own, "v=DMARC1; p=reject; rua=mailto:a@x.com", "v=DMARC1; p=reject; rua=mailto:b@y.com; fo=1")
    expect((await compareDmarc(dns, expected)).record.value).toBe(
      `v=DMARC1; p=reject; rua=mailto:a@x.com,mailto:b@y.com,${uri}; fo=1`,
    )
  })

  it.each([
    ["a policy that does not exist", ["v=DMARC1; p=rejekt"]],
    ["no policy", ["v=DMARC1; sp=reject; adkim=s; x"]],
    ["two policies", ["v=DMARC1; p=none; p=reject"]],
    ["a policy for subdomains that does not exist", ["v=DMARC1 p=none sp=rejekt"]],
    ["records that disagree", ["v=DMARC1; p=none", "v=DMARC1; p=reject"]],
    ["records of which one says more", ["v=DMARC1; p=none", "v=DMARC1; p=none; sp=reject"]],
  ])("nothing is recommended in place of %s", async (_, texts) => {
    publish(own, ...texts)
    const { status, record, finding } = await compareDmarc(dns, expected)
    expect({ status, record }).toEqual({ status: "failed", record: { name: own, value: null } })
    expect(finding.likelyCause?.code).toBe(texts.length > 1 ? "dmarc-several" : "dmarc-policy-unreadable")
  })

  it.each(["sp=all", "np=all", "sp="])(
    "a record with %s has no policy, or p=none if it asks for reports",
    async (fault) => {
      publish(own, `v=DMARC1; p=reject; ${fault}`)
      expect(await compareDmarc(dns, expected), "without reports").toMatchObject({
        status: "failed",
        finding: { outcome: "invalid", likelyCause: { code: "dmarc-policy-unreadable" } },
      })
      publish(own, `v=DMARC1; p=reject; ${fault}; rua=mailto:a@x.com`)
      expect(await discoverDmarc(dns, expected.domain), "with reports").toMatchObject({
        kind: "policy",
        policy: "none",
        subdomainPolicy: "none",
      })
    },
  )

  it.each(["p=rejekt", "p=reject; sp=all", "p=reject; np=all"])(
    "a record with %s that asks for reports is named as faulty and never recommended, with our address too",
    async (fault) => {
      for (const rua of ["mailto:a@x.com", uri]) {
        publish(own, `v=DMARC1; ${fault}; rua=${rua}`)
        const { record, finding } = await compareDmarc(dns, expected)
        expect({ record, code: finding.likelyCause?.code }, rua).toEqual({
          record: { name: own, value: null },
          code: "dmarc-policy-unreadable",
        })
      }
    },
  )

  it("an unrelated TXT at the name is no record", async () => {
    publish(own, "hello")
    expect((await compareDmarc(dns, expected)).status).toBe("not_configured")
  })

  it("a record without p that asks for reports counts as p=none", async () => {
    publish(own, "v=DMARC1; rua=mailto:a@x.com")
    expect((await compareDmarc(dns, expected)).status).toBe("verified")
  })
})

const word = fc.constantFrom("none", "quarantine", "reject", "None", "REJECT", "rejekt", "")
const address = fc.stringMatching(/^mailto:[a-z]{1,6}@[a-z]{1,5}\.com(![1-9][0-9]?m)?$/)
const tag = fc.oneof(
  fc.tuple(fc.constantFrom("p", "P", "sp", "np", "SP"), word),
  fc.tuple(
    fc.constantFrom("rua", "RUA", "ruf"),
    fc.array(address, { minLength: 1, maxLength: 3 }).map((all) => all.join(",")),
  ),
  fc.constantFrom(["adkim", "s"], ["fo", "1"], ["pct", "50"], ["t", "y"], ["ext", "val"]),
)
/** Records as people type them: any order, separators, quotation marks, spelling of the version. */
const typed = fc
  .record({
    version: fc.constantFrom("v=DMARC1", "V=DMARC1", "v=dmarc1", "v = DMARC1", "v:DMARC1"),
    tags: fc.array(tag, { maxLength: 6 }),
    equals: fc.constantFrom("=", " = ", ":"),
    between: fc.constantFrom("; ", ";", ", ", " ", " ;; ", "\\; "),
    around: fc.constantFrom("", '"', "“"),
  })
  .map(({ version, tags, equals, between, around }) => ({
    tags: tags as [string, string][],
    text: around + [version, ...tags.map(([name, value]) => `${name}${equals}${value}`)].join(between) + around,
  }))

it("a recommended record has the owner's policies, never another, and every report address", () => {
  let recommended = 0
  fc.assert(
    fc.property(typed, fc.constantFrom("policy", "invalid"), ({ tags, text }, assumed) => {
      const kind = isDmarc(text) && parseTags(text) ? assumed : "invalid"
      const { value } = recommendedDmarc({ kind, name: own, texts: [text] }, "acme.com", uri) as {
        value: string | null
      }
      if (value === null) return
      recommended++
      const after = parseTags(value)
      expect(isDmarc(value)).toBe(true)
      expect(after !== null).toBe(true)
      for (const name of ["p", "sp", "np"]) {
        const wanted = new Set(
          tags.filter(([each]) => each.toLowerCase() === name).map(([, policy]) => policy.toLowerCase()),
        )
        expect([...wanted].filter((policy) => policy !== "")).toEqual(
          after?.get(name) ? [after.get(name)?.toLowerCase()] : [],
        )
      }
      const addresses = tags.filter(([name]) => name.toLowerCase() === "rua").flatMap(([, list]) => list.split(","))
      expect(after?.get("rua")?.split(",")).toEqual(expect.arrayContaining([...addresses, uri]))
    }),
    { numRuns: 2000 },
  )
  expect(recommended).toBeGreaterThan(200)
})
