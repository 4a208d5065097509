import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { measured } from "@/e2e/support/measured"
import { api, newWorld, type World } from "@/e2e/support/world"
import { createDns, type Dns } from "@/lib/platform/dns/dns"
import { startDnsServer, type TestDnsServer } from "@/e2e/support/platform/dns-server"
import { pool } from "@/lib/platform/database/db"
import { decodeId } from "@/lib/platform/ids"
import { type Io } from "@/lib/platform/io"
import { checkDomain } from "@/lib/domains/check/check"
import { claimDueDomains, saveCheck } from "@/lib/domains/check/data"
import { checkDueDomains } from "@/lib/domains/check/worker"
import { findSender } from "@/lib/domains/keys/data"
import { systemIo } from "@/lib/regions/io"

const hour = 3_600_000
let server: TestDnsServer
let dns: Dns
let now = Date.now()
let io: Io

beforeAll(async () => {
  server = await startDnsServer()
  dns = createDns({ servers: [server], timeoutMs: 200, totalMs: 1000 })
  io = { ...systemIo(), dns, clock: { now: () => new Date(now) } }
  publishService()
})
afterEach(() => {
  server.forgetAll()
  publishService()
  now = Date.now()
})
afterAll(() => server.close())

function publishService() {
  server.answer("spf.eu-west-1.mailroom.test", "TXT", ["v=spf1 ip4:127.0.0.1 ip6:::1 -all"])
  server.answer("acme.com._report._dmarc.dmarc.mailroom.test", "TXT", ["v=DMARC1;"])
}

type Records = Record<"mailFromMx" | "mailFromSpf" | "dmarcRecommended" | "trackingCname", Wire> & { dkim: Wire[] }
type Wire = { name: string; type: string; value: string; priority?: number }

async function registered() {
  const world = await newWorld()
  const { json } = await api("POST /v1/projects/{projectId}/domains", {
    key: world.apiKey,
    params: { projectId: world.project },
    body: { domain: "acme.com", region: "eu-west-1" },
    io,
  })
  const id = decodeId("dom", json.id) ?? ""
  return { world, id, domainId: json.id as string, records: json.verificationRecords as Records }
}

function publish(...records: Wire[]) {
  for (const { name, type, value, priority } of records) {
    if (type === "TXT") server.answer(name, "TXT", [value.match(/.{1,255}/g) ?? []])
    if (type === "MX") server.answer(name, "MX", [{ exchange: value, preference: priority }])
    if (type === "CNAME") server.answer(name, "CNAME", [value])
  }
}

const call = (world: World, domainId: string) => ({
  key: world.apiKey,
  params: { projectId: world.project, domainId },
  io,
})
const verify = (world: World, domainId: string) =>
  api("POST /v1/projects/{projectId}/domains/{domainId}/verify", call(world, domainId))
const get = (world: World, domainId: string) =>
  api("GET /v1/projects/{projectId}/domains/{domainId}", call(world, domainId))

/** Makes this domain, and no other, due: since a second, as the column holds milliseconds, and what is rounded up is not due yet. */
async function makeDue(id: string) {
  await pool().query(
    "UPDATE domains SET due_at = now() + CASE WHEN id = $1 THEN interval '-1 second' ELSE interval '1 day' END",
    [id],
  )
}

async function dueIn(id: string): Promise<number> {
  const { rows } = await pool().query(
    "SELECT extract(epoch FROM due_at - now())::float AS seconds FROM domains WHERE id = $1",
    [id],
  )
  return rows[0].seconds
}

/** How many seconds after `work` stored it the next check is due, however long `work` took. */
async function dueAfter(id: string, seconds: number, work: () => Promise<unknown>): Promise<boolean> {
  const startedAt = performance.now()
  await work()
  const left = await dueIn(id)
  const took = (performance.now() - startedAt) / 1_000
  return left <= seconds && left >= seconds - took - 0.01
}

describe("verify", () => {
  test("answers 200 with what was found when nothing is published, and again when everything is", async () => {
    const { world, domainId, records } = await registered()
    const before = await verify(world, domainId)
    expect({
      beforeStatus: before.status,
      jsonStatus: before.json.status,
      dkimStatus: before.json.dkimStatus,
      mailFromStatus: before.json.mailFromStatus,
    }).toEqual({ beforeStatus: 200, jsonStatus: "pending", dkimStatus: "pending", mailFromStatus: "pending" })
    publish(...records.dkim, records.mailFromMx, records.mailFromSpf, records.dmarcRecommended, records.trackingCname)
    const { status, json } = await verify(world, domainId)
    expect(status).toBe(200)
    expect(json).toMatchObject({
      status: "verified",
      dkimStatus: "verified",
      spfStatus: "verified",
      mailFromStatus: "verified",
      dmarcStatus: "verified",
      verifiedAt: expect.any(String),
      checkedAt: expect.any(String),
      nextCheckAt: expect.any(String),
    })
    for (const record of [...json.verificationRecords.dkim, ...Object.values(json.verificationRecords).flat()]) {
      expect(record).toMatchObject({ status: "verified" })
    }
    const list = await api("GET /v1/projects/{projectId}/domains", {
      key: world.apiKey,
      params: { projectId: world.project },
    })
    expect(list.json.data[0]).toMatchObject({ status: "verified", dkimStatus: "verified", trackingStatus: "pending" })
  })

  test("needs neither the standby key nor DMARC nor the tracking host", async () => {
    const { world, domainId, records } = await registered()
    publish(records.dkim[0] as Wire, records.mailFromMx, records.mailFromSpf)
    expect((await verify(world, domainId)).json).toMatchObject({ status: "verified", dmarcStatus: "not_configured" })
  })

  test("needs both MAIL FROM records and the key in use", async () => {
    for (const left of ["dkim", "mailFromMx", "mailFromSpf"] as const) {
      const { world, domainId, records } = await registered()
      const {
        dkim: [active, standby],
        mailFromMx,
        mailFromSpf,
      } = records
      const required = { dkim: active as Wire, mailFromMx, mailFromSpf }
      const given = Object.entries(required).flatMap(([name, record]) => (name === left ? [] : [record]))
      publish(...given, standby as Wire)
      expect((await verify(world, domainId)).json.status, left).toBe("pending")
    }
  })

  test("shows the likely cause beside what was found", async () => {
    const { world, domainId, records } = await registered()
    const host = records.mailFromSpf.name.replace(".acme.com", "")
    publish({ ...records.mailFromSpf, name: `${records.mailFromSpf.name}.acme.com` })
    publish({ ...(records.dkim[0] as Wire), value: `"${records.dkim[0]?.value}"` })
    const { json } = await verify(world, domainId)
    expect(json.verificationRecords.mailFromSpf.likelyCause).toMatchObject({
      code: "doubled-zone",
      fix: `Enter ${host} as the host.`,
    })
    expect(json.verificationRecords.dkim[0]).toMatchObject({
      status: "pending",
      likelyCause: { code: "quoted" },
      found: [`"${records.dkim[0]?.value}"`],
    })
    const stored = await pool().query(
      "SELECT records::text AS text FROM domains WHERE id = $1 UNION ALL SELECT findings::text FROM domain_checks WHERE domain_id = $1",
      [decodeId("dom", domainId)],
    )
    for (const { text } of stored.rows) expect(text, "codes are stored, not sentences").not.toContain('"message"')
    publish(records.dkim[0] as Wire)
    expect((await verify(world, domainId)).json.verificationRecords.dkim[0]).not.toHaveProperty("likelyCause")
  })

  test("survives a hostile zone: any bytes, any amount, and lookups that never end", measured, async () => {
    const { world, domainId, records } = await registered()
    server.answer(records.dkim[0]?.name ?? "", "TXT", [["v=DKIM1; p=\u0000\u0007"]])
    server.answer(
      records.mailFromMx.name,
      "TXT",
      Array.from({ length: 40 }, (_, at) => [`v=spf1 ${"x".repeat(240)}${at}`]),
    )
    server.answer("_dmarc.acme.com", "TXT", [["v=DMARC1; p=none; x=\u0000"]])
    const { status, json } = await verify(world, domainId)
    expect({ status, jsonStatus: json.status, dmarcStatus: json.dmarcStatus }).toEqual({
      status: 200,
      jsonStatus: "pending",
      dmarcStatus: "failed",
    })
    expect(json.verificationRecords.dkim[0].found).toEqual(["v=DKIM1; p=\\000\\007"])
    expect(json.verificationRecords.mailFromSpf.found).toHaveLength(8)

    const lookups = ["a", "b", "c", "d", "e"].map((label) => `a:${label}.slow.com`)
    server.answer(records.mailFromMx.name, "TXT", [[`v=spf1 ${lookups.join(" ")} -all`]])
    for (const label of ["a", "b", "c", "d", "e"]) server.fault(`${label}.slow.com`, "silence")
    const began = performance.now()
    expect((await verify(world, domainId)).status).toBe(200)
    expect(performance.now() - began).toBeLessThan(8000)
  })

  test("another project's verified domain proves nothing for one's own", async () => {
    const [a, b] = [await registered(), await registered()]
    publish(...a.records.dkim, a.records.mailFromMx, a.records.mailFromSpf)
    expect((await verify(a.world, a.domainId)).json.status).toBe("verified")
    expect((await verify(b.world, b.domainId)).json.status).toBe("pending")
  })
})

describe("background checks", () => {
  test("come after 5, 15 and 30 s, back off, start anew when somebody asks, and find the records by themselves", async () => {
    const { world, id, domainId, records } = await registered()
    expect(await dueIn(id)).toBeGreaterThan(3)
    expect(await dueIn(id)).toBeLessThanOrEqual(5)
    for (const seconds of [15, 30, 60, 120]) {
      await makeDue(id)
      expect(await dueAfter(id, seconds, async () => expect(await checkDueDomains(io)).toBe(1)), `${seconds} s`).toBe(
        true,
      )
    }
    expect(await dueAfter(id, 5, () => verify(world, domainId)), "5 s").toBe(true)
    publish(...records.dkim, records.mailFromMx, records.mailFromSpf)
    await makeDue(id)
    expect(await dueAfter(id, 6 * 3600, () => checkDueDomains(io)), "6 hours").toBe(true)
    expect((await get(world, domainId)).json.status).toBe("verified")
  })

  test("a domain is claimed by one worker only, and comes back when that one dies", async () => {
    const { id } = await registered()
    await makeDue(id)
    const claims = await Promise.all([claimDueDomains(10), claimDueDomains(10)])
    expect(claims.flat().map((domain) => domain.id)).toEqual([id])
    expect(await checkDueDomains(io)).toBe(0)
    expect(await dueIn(id)).toBeLessThanOrEqual(60)
  })

  test("a check that ends after another one does not overwrite its result", async () => {
    const { world, id, domainId, records } = await registered()
    await makeDue(id)
    const [slow] = await claimDueDomains(1)
    if (!slow) throw new Error("nothing was due")
    const stale = await checkDomain(slow, io, false)
    publish(...records.dkim, records.mailFromMx, records.mailFromSpf)
    now += 1000
    await verify(world, domainId)
    expect(await saveCheck(slow, stale)).toBe(false)
    expect((await get(world, domainId)).json.status).toBe("verified")
  })

  test("72 hours without success fail the domain and its required records; the records still bring it back", async () => {
    const { world, id, domainId, records } = await registered()
    const checkAfter = async (hours: number) => {
      now = Date.now() + hours * hour
      await makeDue(id)
      await checkDueDomains(io)
      return (await get(world, domainId)).json
    }
    expect((await checkAfter(71)).status).toBe("pending")
    const failed = await checkAfter(72.1)
    expect(failed).toMatchObject({
      status: "failed",
      dkimStatus: "failed",
      spfStatus: "failed",
      mailFromStatus: "failed",
    })
    expect(failed.verificationRecords.dmarcRecommended.status).toBe("pending")
    publish(...records.dkim, records.mailFromMx, records.mailFromSpf)
    expect((await checkAfter(100)).status).toBe("verified")
  })

  test("failing name servers take nothing away; vanished records degrade at once and fail after 72 hours", async () => {
    const { world, id, domainId, records } = await registered()
    publish(...records.dkim, records.mailFromMx, records.mailFromSpf)
    const { json: verified } = await verify(world, domainId)
    const checkAfter = async (hours: number) => {
      now = Date.parse(verified.verifiedAt) + hours * hour
      await makeDue(id)
      await checkDueDomains(io)
      return (await get(world, domainId)).json
    }
    for (const name of [records.dkim[0], records.mailFromMx].map((record) => record?.name ?? ""))
      server.fault(name, "SERVFAIL")
    expect(await checkAfter(6)).toMatchObject({
      status: "verified",
      dkimStatus: "verified",
      updatedAt: verified.updatedAt,
    })
    server.fault(records.mailFromMx.name, "silence")
    expect((await checkAfter(12)).status).toBe("verified")

    server.forgetAll()
    const degraded = await checkAfter(18)
    expect(degraded).toMatchObject({ status: "degraded", dkimStatus: "pending", verifiedAt: verified.verifiedAt })
    expect((await checkAfter(18 + 71)).status).toBe("degraded")
    expect((await checkAfter(18 + 73)).status).toBe("failed")
    const { rows } = await pool().query("SELECT status FROM domain_checks WHERE domain_id = $1 ORDER BY id", [id])
    expect(rows.map(({ status }) => status)).toEqual(["verified", "degraded", "failed"])
  })

  test("the first check after days without a worker degrades nothing because a name server is silent", async () => {
    const { world, id, domainId, records } = await registered()
    publish(...records.dkim, records.mailFromMx, records.mailFromSpf)
    const { json: verified } = await verify(world, domainId)
    for (const record of [...records.dkim, records.mailFromMx]) server.fault(record.name, "SERVFAIL")
    const statusAfter = async (hours: number) => {
      now = Date.parse(verified.verifiedAt) + hours * hour
      await makeDue(id)
      await checkDueDomains(io)
      return (await get(world, domainId)).json.status
    }
    expect(await statusAfter(100)).toBe("verified")
    expect(await statusAfter(106)).toBe("degraded")
  })
})

describe("the sender", () => {
  test("signs with the key whose other half is published, and goes on for what was accepted before the domain was deleted", async () => {
    const { world, id, domainId, records } = await registered()
    const sender = await findSender(world.projectId, id)
    expect(sender).toMatchObject({ domain: "acme.com", mailFromDomain: records.mailFromMx.name })
    expect(records.dkim[0]?.name).toBe(`${sender?.selector}._domainkey.acme.com`)
    const { createPublicKey } = await import("node:crypto")
    const published = createPublicKey(sender?.privateKeyPem ?? "")
      .export({ type: "spki", format: "der" })
      .toString("base64")
    expect(records.dkim[0]?.value).toBe(`v=DKIM1; k=rsa; p=${published}`)
    await api("DELETE /v1/projects/{projectId}/domains/{domainId}", call(world, domainId))
    expect(await findSender(world.projectId, id)).toEqual(sender)
    await pool().query("DELETE FROM retained_signers WHERE domain_id = $1", [id])
    expect(await findSender(world.projectId, id)).toBeNull()
  })
})
