import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { newStage, type Registered, type Stage } from "@/e2e/support/domains/stage"

let stage: Stage

beforeAll(async () => {
  stage = await newStage(2)
})
beforeEach(() => stage.reset())
afterEach(() => stage.reset())
afterAll(() => stage.close())

const diagnosisOf = async ({ call }: Registered) =>
  (await call("GET /v1/projects/{projectId}/domains/{domainId}/diagnosis")).json

type Server = {
  server: string
  name?: string
  outcome: string
  found: string[]
  reason?: string
  likelyCause?: { code: string }
}
type Diagnosed = { record: string; outcome: string; servers: Server[]; likelyCause?: { code: string; fix: string } }

const of = (diagnosis: { records: Diagnosed[] }, key: string) => {
  const found = diagnosis.records.find(({ record }) => record === key)
  if (!found) throw new Error(`Nothing was said about ${key}.`)
  return found
}

describe("the diagnosis", () => {
  test("says for each record what is expected and what each name server answers", async () => {
    const domain = await stage.registered()
    const { dkim, mailFromMx, mailFromSpf } = domain.records
    stage.publish([...dkim, mailFromMx, mailFromSpf])
    const diagnosis = await diagnosisOf(domain)
    expect(diagnosis.records.map(({ record, outcome }: Diagnosed) => [record, outcome])).toEqual([
      ["dkim-a", "valid"],
      ["dkim-b", "valid"],
      ["mail-from-mx", "valid"],
      ["mail-from-spf", "valid"],
      ["dmarc", "missing"],
      ["tracking", "missing"],
    ])
    expect(of(diagnosis, "dkim-a")).toMatchObject({
      name: dkim[0].name,
      type: "TXT",
      expected: dkim[0].value,
      optional: false,
    })
    expect(of(diagnosis, "mail-from-mx").servers).toEqual(
      stage.servers.map(({ host, port }) => ({
        server: `${host}:${port}`,
        outcome: "valid",
        found: [`10 ${mailFromMx.value}`],
      })),
    )
    expect(diagnosis.notes).toEqual([])
  })

  test("tells the servers apart, and says that they disagree", async () => {
    const domain = await stage.registered()
    const { dkim, mailFromMx, mailFromSpf } = domain.records
    const [first, second] = stage.servers
    if (!first || !second) throw new Error("two servers")
    stage.publish([...dkim, mailFromMx, mailFromSpf])
    second.answer(dkim[0].name, "TXT", ["v=DKIM1; k=rsa; t=y; p=AAAA"])
    second.fault(mailFromMx.name, "SERVFAIL")
    const diagnosis = await diagnosisOf(domain)
    expect(of(diagnosis, "dkim-a").servers).toMatchObject([
      { outcome: "valid" },
      { outcome: "invalid", found: ["v=DKIM1; k=rsa; t=y; p=AAAA"], likelyCause: { code: "other-key" } },
    ])
    expect(of(diagnosis, "mail-from-mx")).toMatchObject({
      outcome: "valid",
      servers: [{ outcome: "valid" }, { outcome: "unknown", found: [], reason: "server-failure" }],
    })
    expect(diagnosis.notes).toMatchObject([{ code: "servers-differ", record: "dkim-a" }])
  })

  test.each([
    [
      "a doubled zone name",
      "mail-from-spf",
      "doubled-zone",
      ({ mailFromSpf }) => [{ ...mailFromSpf, name: `${mailFromSpf.name}.acme.com` }],
    ],
    ["quotation marks", "dkim-a", "quoted", ({ dkim: [key] }) => [{ ...key, value: `"${key.value}"` }]],
    [
      "t=y",
      "dkim-a",
      "testing-flag",
      ({ dkim: [key] }) => [{ ...key, value: key.value.replace("k=rsa", "k=rsa; t=y") }],
    ],
    [
      "backslashes",
      "dkim-b",
      "escaped-semicolon",
      ({ dkim: [, key] }) => [{ ...key, value: key.value.replaceAll(";", "\\;") }],
    ],
    ["a missing second part", "dkim-a", "truncated", ({ dkim: [key] }) => [{ ...key, value: key.value.slice(0, 255) }]],
    ["a missing first part", "dkim-a", "truncated", ({ dkim: [key] }) => [{ ...key, value: key.value.slice(255) }]],
    [
      "an alias in the way",
      "mail-from-mx",
      "cname-in-the-way",
      ({ mailFromMx }) => [{ ...mailFromMx, type: "CNAME", value: "proxy.example.com" }],
    ],
  ] satisfies [string, string, string, (records: Registered["records"]) => Registered["records"]["mailFromMx"][]][])(
    "names %s and its fix, for the record and at each server",
    async (_, key, code, changed) => {
      const domain = await stage.registered()
      stage.publish(changed(domain.records))
      const record = of(await diagnosisOf(domain), key)
      expect(record.likelyCause).toMatchObject({ code, fix: expect.stringMatching(/\.$/) })
      expect(record.servers.map(({ likelyCause }) => likelyCause?.code)).toEqual([code, code])
    },
  )

  test("names several SPF records and a proxied tracking host", async () => {
    const domain = await stage.registered()
    const { mailFromSpf, trackingCname } = domain.records
    for (const server of stage.servers) {
      server.answer(mailFromSpf.name, "TXT", [mailFromSpf.value, "v=spf1 -all"])
      server.answer(trackingCname.name, "A", ["192.0.2.1"])
    }
    const diagnosis = await diagnosisOf(domain)
    expect(of(diagnosis, "mail-from-spf").likelyCause?.code).toBe("several-records")
    expect(of(diagnosis, "tracking").likelyCause?.code).toBe("proxied")
  })

  test("names aspf=s, under which our MAIL FROM no longer speaks for the domain", async () => {
    const domain = await stage.registered()
    const { dmarcRecommended } = domain.records
    stage.publish([{ ...dmarcRecommended, value: `${dmarcRecommended.value}; aspf=s` }])
    expect((await diagnosisOf(domain)).notes).toMatchObject([{ code: "dmarc-aspf-strict", record: "dmarc" }])
  })

  test("names the zone, its servers and its provider, and changes nothing", async () => {
    const domain = await stage.registered()
    for (const server of stage.servers)
      server.answer("acme.com", "NS", ["ada.ns.cloudflare.com", "rob.ns.cloudflare.com"])
    for (const server of stage.servers) server.answer("ada.ns.cloudflare.com", "A", ["127.0.0.1"])
    stage.publish([...domain.records.dkim, domain.records.mailFromMx, domain.records.mailFromSpf])
    const diagnosis = await diagnosisOf(domain)
    expect(diagnosis).toMatchObject({
      zone: "acme.com",
      nameServers: ["ada.ns.cloudflare.com", "rob.ns.cloudflare.com"],
      provider: { name: "Cloudflare", dnsPageUrl: "https://dash.cloudflare.com/?to=/:account/acme.com/dns/records" },
    })
    expect(of(diagnosis, "dkim-a").servers[0]?.name).toBe("ada.ns.cloudflare.com")
    const { json } = await domain.call("GET /v1/projects/{projectId}/domains/{domainId}")
    expect({ status: json.status, checks: json.checks, provider: json.provider }).toEqual({
      status: "pending",
      checks: [],
      provider: undefined,
    })
  })
})

describe("the provider", () => {
  test("is known from registration on, or from the first check that reaches the name servers, and stays known when they do not answer", async () => {
    const domain = await stage.registered()
    const verify = async () => (await domain.call("POST /v1/projects/{projectId}/domains/{domainId}/verify")).json
    expect(domain.provider).toBeUndefined()
    for (const server of stage.servers) server.answer("acme.com", "NS", ["ns1.digitalocean.com"])
    expect((await verify()).provider?.name).toBe("DigitalOcean")
    stage.time.now += 1000
    for (const server of stage.servers) server.fault("acme.com", "SERVFAIL")
    expect(await verify()).toMatchObject({ provider: { name: "DigitalOcean" }, nameServers: ["ns1.digitalocean.com"] })
    stage.reset()
    for (const server of stage.servers) server.answer("acme.com", "NS", ["ns1.vercel-dns.com"])
    expect((await stage.registered()).provider?.name).toBe("Vercel")
  })
})

describe("the checks", () => {
  test("are listed newest first in pages, each with what it changed since the one before", async () => {
    const domain = await stage.registered()
    const { dkim, mailFromMx, mailFromSpf } = domain.records
    for (const published of [[], [mailFromMx], [mailFromMx, mailFromSpf, dkim[0]]]) {
      stage.time.now += 1000
      stage.publish(published)
      await domain.call("POST /v1/projects/{projectId}/domains/{domainId}/verify")
    }
    const list = async (page: number) =>
      (await domain.call("GET /v1/projects/{projectId}/domains/{domainId}/checks", { query: { page, size: 2 } })).json
    const [first, second] = [await list(1), await list(2)]
    expect(first.page).toMatchObject({ total: 3, totalPages: 2, hasNextPage: true })
    expect(first.data).toMatchObject([
      {
        status: "verified",
        changes: [
          { record: "dkim-a", status: "verified" },
          { record: "mail-from-spf", status: "verified" },
        ],
      },
      { status: "pending", changes: [{ record: "mail-from-mx", status: "verified" }] },
    ])
    expect(second.data).toMatchObject([{ status: "pending", changes: [] }])
  })
})
