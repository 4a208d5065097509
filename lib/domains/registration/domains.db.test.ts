import { expectProblem } from "@/e2e/support/expect-problem"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { api, newKey, newMember, newWorld, type World } from "@/e2e/support/world"
import { createDns, type Dns } from "@/lib/platform/dns/dns"
import { startDnsServer, type TestDnsServer } from "@/e2e/support/platform/dns-server"
import { pool } from "@/lib/platform/database/db"
import { entitle } from "@/lib/access/people/data"

let server: TestDnsServer
let dns: Dns

beforeAll(async () => {
  server = await startDnsServer()
  dns = createDns({ servers: [server], timeoutMs: 3_000, totalMs: 12_000 })
})
afterEach(() => server.forgetAll())
afterAll(() => server.close())

const home = "eu-west-1"
const create = (world: World, body: unknown, key = world.apiKey) =>
  api("POST /v1/projects/{projectId}/domains", { key, params: { projectId: world.project }, body, io: { dns } })
const get = (world: World, domainId: string, key = world.apiKey) =>
  api("GET /v1/projects/{projectId}/domains/{domainId}", { key, params: { projectId: world.project, domainId } })
const remove = (world: World, domainId: string) =>
  api("DELETE /v1/projects/{projectId}/domains/{domainId}", {
    key: world.apiKey,
    params: { projectId: world.project, domainId },
  })

test("the zone file of a real domain in an installation that cannot send says so before its first record", async () => {
  const world = await newWorld()
  const zoneFileOf = async (domain: string) => {
    const { json } = await create(world, { domain, region: home })
    const params = { projectId: world.project, domainId: json.id }
    const route = "GET /v1/projects/{projectId}/domains/{domainId}/zone-file"
    return (await api(route, { key: world.apiKey, params })).response.text()
  }
  const warning = "; Do not publish these yet. This installation cannot send"
  expect((await zoneFileOf("acme.com")).split("\n")[1]).toContain(warning)
  expect(await zoneFileOf("acme.test")).not.toContain(warning)
})

describe("create domain", () => {
  test("201: the records to publish, pending, with a Location at which they can be read again", async () => {
    const world = await newWorld()
    const { status, json, headers } = await create(world, { domain: "Mail.ACME.com.", region: home })
    expect(status).toBe(201)
    expect(headers.get("location")).toBe(`/v1/projects/${world.project}/domains/${json.id}`)
    expect(json).toMatchObject({
      projectId: world.project,
      domain: "mail.acme.com",
      region: home,
      status: "pending",
      dkimStatus: "pending",
      spfStatus: "pending",
      mailFromStatus: "pending",
      dmarcStatus: "not_configured",
      bimiStatus: "not_configured",
      mailFromDomain: "send.mail.acme.com",
      transport: "sandbox",
    })
    expect(json).not.toHaveProperty("verifiedAt")
    const { dkim, mailFromMx, mailFromSpf, dmarcRecommended, trackingCname } = json.verificationRecords
    expect(dkim).toHaveLength(2)
    for (const record of dkim) {
      expect(record).toEqual({
        name: expect.stringMatching(/^mr[a-z2-7]{6}[ab]\._domainkey\.mail\.acme\.com$/),
        type: "TXT",
        value: expect.stringMatching(/^v=DKIM1; k=rsa; p=[A-Za-z0-9+/]{392}$/),
        status: "pending",
      })
    }
    expect(dkim[0].value).not.toBe(dkim[1].value)
    expect(mailFromMx).toEqual({
      name: "send.mail.acme.com",
      type: "MX",
      value: `feedback.${home}.mailroom.test`,
      priority: 10,
      status: "pending",
    })
    expect(mailFromSpf).toMatchObject({
      name: "send.mail.acme.com",
      type: "TXT",
      value: `v=spf1 include:spf.${home}.mailroom.test ~all`,
    })
    expect(dmarcRecommended).toMatchObject({
      name: "_dmarc.acme.com",
      type: "TXT",
      optional: true,
      value: expect.stringMatching(/^v=DMARC1; p=none; rua=mailto:[0-9a-f]{20}@dmarc\.mailroom\.test$/),
    })
    expect(trackingCname).toMatchObject({
      name: "links.mail.acme.com",
      type: "CNAME",
      value: "track.mailroom.test",
      optional: true,
    })
    expect((await get(world, json.id)).json).toEqual(json)
  })

  test("400: every unusable name is refused at /domain with the reason", async () => {
    const world = await newWorld()
    const names = [
      "http://x.test",
      "x.test/p",
      "x.test:25",
      "*.x.test",
      "localhost",
      "127.0.0.1",
      "[::1]",
      "x..test",
      "-x.test",
      `${"a".repeat(64)}.test`,
      `${"a.".repeat(125)}test`,
      "xn--.test",
      "x.test\n",
      "co.uk",
      "_dmarc.x.test",
      "mailroom.test",
      "a.mailroom.test",
      "",
      "test",
      "x@x.test",
    ]
    // More names than one bucket holds with the rest of this test would be 429: two keys share them.
    const keys = [world.apiKey, (await newKey(world.projectId)).apiKey]
    for (const [at, domain] of names.entries()) {
      const { status, json } = await create(world, { domain, region: home }, keys[at % 2])
      expect(
        { status, code: json.code, pointers: json.errors?.map((fault: { pointer: string }) => fault.pointer) },
        domain,
      ).toEqual({ status: 400, code: "request.invalid", pointers: ["/domain"] })
      expect(json.errors[0].detail).toMatch(/^This name .*\.$/)
    }
  })

  test.each([
    [{}, ["/domain", "/region"]],
    [{ domain: "acme.com" }, ["/region"]],
    [{ domain: 7, region: home }, ["/domain"]],
    [{ domain: "acme.com", region: "us-east-2" }, ["/region"]],
    [{ domain: "acme.com", region: "US-EAST-1" }, ["/region"]],
    [{ domain: "acme.com", region: [home] }, ["/region"]],
    [{ domain: "localhost", region: "mars", extra: 1 }, ["/domain", "/extra", "/region"]],
  ])("400: %j names every faulty field", async (body, pointers) => {
    const world = await newWorld()
    const { status, json } = await create(world, body)
    expect(status).toBe(400)
    expect(json.errors.map((fault: { pointer: string }) => fault.pointer).toSorted()).toEqual(pointers)
  })

  test("401 without a credential and with a wrong one", async () => {
    const world = await newWorld()
    const body = { domain: "acme.com", region: home }
    const bare = await api("POST /v1/projects/{projectId}/domains", { params: { projectId: world.project }, body })
    expectProblem(bare, 401, "auth.missing_credentials")
    const wrong = await create(world, body, "mr_live_nonsense")
    expectProblem(wrong, 401, "auth.invalid_credentials")
  })

  test("403 without the permission, for another project, and outside the home region without the entitlement", async () => {
    const [world, other] = [await newWorld(), await newWorld()]
    const body = { domain: "acme.com", region: home }
    const reader = await newKey(world.projectId, ["domains:read"])
    const denied = await create(world, body, reader.apiKey)
    expectProblem(denied, 403, "auth.permission_missing")
    const foreign = await create(other, body, world.apiKey)
    expectProblem(foreign, 403, "auth.project_mismatch")
    const elsewhere = { domain: "acme.com", region: "us-east-1" }
    const away = await create(world, elsewhere)
    expectProblem(away, 403, "domain.region_not_entitled")
    await entitle(world.organizationId, true)
    // What a key may do is cached for up to a second: a fresh key sees the entitlement at once.
    const { apiKey } = await newKey(world.projectId)
    expect((await create(world, elsewhere, apiKey)).json).toMatchObject({ region: "us-east-1" })
  })

  test("403 project.limit_reached names the limit, also when many ask at once", async () => {
    const world = await newWorld()
    await pool().query("UPDATE projects SET max_domains = 2 WHERE id = $1", [world.projectId])
    const all = await Promise.all(
      ["a", "b", "c", "d"].map((label) => create(world, { domain: `${label}.com`, region: home })),
    )
    expect(all.map(({ status }) => status).toSorted()).toEqual([201, 201, 403, 403])
    const refused = all.find(({ status }) => status === 403)
    expect(refused?.json).toMatchObject({
      code: "project.limit_reached",
      detail: expect.stringContaining("maxDomains is 2"),
    })
  })

  test("404 for a project that the session does not see", async () => {
    const [world, other] = [await newWorld(), await newWorld()]
    const { cookie } = await newMember(world, "developer")
    const { status, json } = await api("POST /v1/projects/{projectId}/domains", {
      cookie,
      params: { projectId: other.project },
      body: { domain: "acme.com", region: home },
    })
    expectProblem({ status, json }, 404, "project.not_found")
  })

  test("409 for a domain that the project has already, however it is written, in whatever region, and in a race", async () => {
    const world = await newWorld()
    await entitle(world.organizationId, true)
    const race = await Promise.all([1, 2, 3].map(() => create(world, { domain: "acme.com", region: home })))
    expect(race.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
    for (const body of [
      { domain: "ACME.com.", region: home },
      { domain: "acme.com", region: "us-east-1" },
    ]) {
      const { status, json } = await create(world, body)
      expectProblem({ status, json }, 409, "domain.already_registered")
    }
  })

  test("429 with Retry-After once the bucket of 30 in 300 s is empty, whatever the requests were", async () => {
    const world = await newWorld()
    const all = await Promise.all(
      Array.from({ length: 31 }, () => create(world, { domain: "localhost", region: home })),
    )
    const refused = all.filter(({ status }) => status === 429)
    expect(all.filter(({ status }) => status === 400)).toHaveLength(30)
    expect(refused).toHaveLength(1)
    expect(refused[0]?.headers.get("retry-after")).toMatch(/^[1-9][0-9]*$/)
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeLessThanOrEqual(300)
    expect(refused[0]?.json.code).toBe("rate_limit.exceeded")
  })

  test("another project registers the same domain with keys, selectors and a MAIL FROM domain of its own", async () => {
    const [a, b] = [await newWorld(), await newWorld()]
    const [first, second] = await Promise.all([
      create(a, { domain: "shared.com", region: home }),
      create(b, { domain: "shared.com", region: home }),
    ])
    expect({ firstStatus: first.status, secondStatus: second.status }).toEqual({ firstStatus: 201, secondStatus: 201 })
    expect([first.json.mailFromDomain, second.json.mailFromDomain].toSorted()).toEqual([
      "bounce.shared.com",
      "send.shared.com",
    ])
    const [one, two] = [first, second].map(({ json }) => json.verificationRecords)
    const all = [...one.dkim, ...two.dkim]
    expect(new Set(all.map((record) => record.name)).size).toBe(4)
    expect(new Set(all.map((record) => record.value)).size).toBe(4)
    expect(one.dmarcRecommended.value).not.toBe(two.dmarcRecommended.value)
  })

  test("a domain that is deleted and registered again gets new keys, new names, and the same report address", async () => {
    const world = await newWorld()
    const before = (await create(world, { domain: "again.com", region: home })).json
    expect((await remove(world, before.id)).status).toBe(204)
    const after = (await create(world, { domain: "again.com", region: home })).json
    expect(after.id).not.toBe(before.id)
    for (const at of [0, 1]) {
      expect(after.verificationRecords.dkim[at].name).not.toBe(before.verificationRecords.dkim[at].name)
      expect(after.verificationRecords.dkim[at].value).not.toBe(before.verificationRecords.dkim[at].value)
    }
    expect(after.verificationRecords.dmarcRecommended).toEqual(before.verificationRecords.dmarcRecommended)
  })

  test("a policy that applies already is shown with our address appended, and a taken MAIL FROM name is left alone", async () => {
    server.answer("_dmarc.parent.com", "TXT", ["v=DMARC1; p=reject; rua=mailto:a@parent.com"])
    server.answer("send.news.parent.com", "MX", [{ exchange: "feedback-smtp.eu-west-1.amazonses.com", preference: 10 }])
    const world = await newWorld()
    const { json } = await create(world, { domain: "news.parent.com", region: home })
    expect(json).toMatchObject({ dmarcStatus: "verified", mailFromDomain: "bounce.news.parent.com" })
    expect(json.verificationRecords.dmarcRecommended).toMatchObject({
      name: "_dmarc.parent.com",
      value: expect.stringMatching(
        /^v=DMARC1; p=reject; rua=mailto:a@parent\.com,mailto:[0-9a-f]{20}@dmarc\.mailroom\.test$/,
      ),
    })
  })

  test("the private keys lie sealed in the database and never in an answer", async () => {
    const world = await newWorld()
    const { json } = await create(world, { domain: "sealed.com", region: home })
    expect(JSON.stringify(json)).not.toMatch(/PRIVATE/)
    const { rows } = await pool().query<{ private_key: Buffer }>(
      "SELECT private_key FROM dkim_keys WHERE project_id = $1",
      [world.projectId],
    )
    expect(rows).toHaveLength(2)
    for (const { private_key } of rows) expect(private_key.toString("latin1")).not.toContain("PRIVATE")
  })
})

describe("list, get, delete", () => {
  test("the list is newest first, paged, in short form", async () => {
    const world = await newWorld()
    for (const name of ["one.com", "two.com", "three.com"]) await create(world, { domain: name, region: home })
    const list = (query: Record<string, string | number>) =>
      api("GET /v1/projects/{projectId}/domains", { key: world.apiKey, params: { projectId: world.project }, query })
    const first = (await list({ size: 2 })).json
    expect(first.data.map((item: { domain: string }) => item.domain)).toEqual(["three.com", "two.com"])
    expect(first.page).toEqual({ page: 1, size: 2, total: 3, totalPages: 2, hasNextPage: true, hasPreviousPage: false })
    expect(Object.keys(first.data[0]).toSorted()).toEqual([
      "bimiStatus",
      "dkimStatus",
      "dmarcStatus",
      "domain",
      "id",
      "mailFromStatus",
      "region",
      "status",
      "trackingStatus",
      "transport",
      "updatedAt",
    ])
    expect((await list({ page: 2, size: 2 })).json.data).toHaveLength(1)
    expect((await list({ page: 9 })).json.data).toEqual([])
  })

  test("a domain of another project answers like one that does not exist, for every operation", async () => {
    const [mine, theirs] = [await newWorld(), await newWorld()]
    const foreign = (await create(theirs, { domain: "theirs.com", region: home })).json.id
    const routes = [
      "GET /v1/projects/{projectId}/domains/{domainId}",
      "POST /v1/projects/{projectId}/domains/{domainId}/verify",
      "GET /v1/projects/{projectId}/domains/{domainId}/zone-file",
      "DELETE /v1/projects/{projectId}/domains/{domainId}",
    ] as const
    for (const route of routes) {
      const answers = await Promise.all(
        [foreign, "dom_01k9q3f7c2e8m9v4x6y8z0a1b3", "dom_nope", "x"].map((domainId) =>
          api(route, { key: mine.apiKey, params: { projectId: mine.project, domainId }, io: { dns } }),
        ),
      )
      for (const { status, json } of answers) {
        const { requestId: _request, instance: _instance, ...rest } = json
        expect({ status, rest }).toEqual({
          status: 404,
          rest: expect.objectContaining({ code: "domain.not_found", detail: answers[1]?.json.detail }),
        })
      }
    }
    expect((await get(theirs, foreign)).status).toBe(200)
  })

  test("a deleted domain is missing, and so are its keys, and deleting it twice is 404", async () => {
    const world = await newWorld()
    const { json } = await create(world, { domain: "gone.com", region: home })
    expect((await remove(world, json.id)).status).toBe(204)
    expect((await remove(world, json.id)).status).toBe(404)
    expect((await get(world, json.id)).status).toBe(404)
    const { rows } = await pool().query("SELECT id FROM dkim_keys WHERE project_id = $1", [world.projectId])
    expect(rows).toEqual([])
  })

  test("a viewer reads domains and cannot change them", async () => {
    const world = await newWorld()
    const { json } = await create(world, { domain: "seen.com", region: home })
    const { cookie } = await newMember(world, "viewer")
    const call = { cookie, params: { projectId: world.project, domainId: json.id } }
    expect((await api("GET /v1/projects/{projectId}/domains/{domainId}", call)).status).toBe(200)
    expect((await api("DELETE /v1/projects/{projectId}/domains/{domainId}", call)).status).toBe(403)
    expect((await api("POST /v1/projects/{projectId}/domains/{domainId}/verify", call)).status).toBe(403)
  })

  test("the zone file holds every record, as text", async () => {
    const world = await newWorld()
    const { json } = await create(world, { domain: "zone.com", region: home })
    const { status, headers, response } = await api("GET /v1/projects/{projectId}/domains/{domainId}/zone-file", {
      key: world.apiKey,
      params: { projectId: world.project, domainId: json.id },
    })
    expect(status).toBe(200)
    expect(headers.get("content-type")).toMatch(/^text\/dns/)
    const text = await response.text()
    const { dkim, mailFromMx, mailFromSpf, dmarcRecommended, trackingCname } = json.verificationRecords
    for (const { name } of [...dkim, mailFromMx, mailFromSpf, dmarcRecommended, trackingCname])
      expect(text).toContain(`\n${name}. `)
    expect(text.match(/" "/g)).toHaveLength(2)
  })
})
