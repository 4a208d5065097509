import { createPublicKey } from "node:crypto"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { newStage, type Registered, type Stage, type Wire } from "@/e2e/support/domains/stage"
import { expectProblem } from "@/e2e/support/expect-problem"
import { checkDomain } from "@/lib/domains/check/check"
import { claimDueDomains, saveCheck } from "@/lib/domains/check/data"
import { registrationsUnder } from "@/lib/domains/data"
import { findSender } from "@/lib/domains/keys/data"
import { pool } from "@/lib/platform/database/db"

const day = 24 * 3_600_000
let stage: Stage

beforeAll(async () => {
  stage = await newStage()
})
beforeEach(() => stage.reset())
afterEach(() => stage.reset())
afterAll(() => stage.close())

const get = async ({ call }: Registered) => (await call("GET /v1/projects/{projectId}/domains/{domainId}")).json
const rotate = ({ call }: Registered) => call("POST /v1/projects/{projectId}/domains/{domainId}/rotate-dkim")

async function verify({ call }: Registered) {
  stage.time.now += 1000
  return (await call("POST /v1/projects/{projectId}/domains/{domainId}/verify")).json
}

async function verified(...left: Wire[]): Promise<Registered> {
  const domain = await stage.registered()
  const { dkim, mailFromMx, mailFromSpf } = domain.records
  stage.publish([...dkim, mailFromMx, mailFromSpf].filter((record) => !left.includes(record)))
  await verify(domain)
  return domain
}

const keysOf = async ({ id }: Registered) =>
  (
    await pool().query("SELECT selector, state, status, private_key FROM dkim_keys WHERE domain_id = $1 ORDER BY id", [
      id,
    ])
  ).rows

const dkimValue = (privateKeyPem = "") =>
  `v=DKIM1; k=rsa; p=${createPublicKey(privateKeyPem).export({ type: "spki", format: "der" }).toString("base64")}`

describe("a rotation", () => {
  test("puts the standby into use at once, destroys the old private key and shows a new value that blocks nothing", async () => {
    const domain = await verified()
    const [a, b] = domain.records.dkim
    const { status, json } = await rotate(domain)
    expect(status).toBe(200)
    expect(json).toMatchObject({ status: "verified", dkimStatus: "verified" })
    const [active, idle] = json.verificationRecords.dkim
    expect({ name: active.name, value: active.value, status: active.status }).toEqual({
      name: b.name,
      value: b.value,
      status: "verified",
    })
    expect({ name: idle.name, status: idle.status }).toEqual({ name: a.name, status: "pending" })
    expect(idle.value).not.toBe(a.value)
    expect(idle.retired).toEqual({ value: a.value, keepUntil: new Date(stage.time.now + 7 * day).toISOString() })

    const sender = await findSender(domain.world.projectId, domain.id)
    expect(b.name).toBe(`${sender?.selector}._domainkey.acme.com`)
    expect(dkimValue(sender?.privateKeyPem)).toBe(b.value)
    const keys = await keysOf(domain)
    expect(keys.map(({ state }) => state)).toEqual(["retired", "active", "standby"])
    expect(keys.map(({ private_key }) => private_key === null)).toEqual([true, false, false])
  })

  test("waits for the new value while the old one is still published, says how long to keep it, and then can be repeated", async () => {
    const domain = await verified()
    await rotate(domain)
    const kept = await verify(domain)
    expect({ status: kept.status, dkimStatus: kept.dkimStatus }).toEqual({ status: "verified", dkimStatus: "verified" })
    const keepUntil = new Date(stage.time.now + 7 * day).toISOString().slice(0, 10)
    expect(kept.verificationRecords.dkim[1]).toMatchObject({
      status: "pending",
      likelyCause: { code: "retired-key", fix: `Keep it until ${keepUntil}, then replace it with the value shown.` },
    })
    expect((await rotate(domain)).json.code).toBe("domain.standby_not_verified")

    stage.publish([kept.verificationRecords.dkim[1]])
    const ready = await verify(domain)
    expect(ready.verificationRecords.dkim[1].status).toBe("verified")
    const { json } = await rotate(domain)
    const [active] = json.verificationRecords.dkim
    expect({ value: active.value, retired: active.retired }).toEqual({
      value: kept.verificationRecords.dkim[1].value,
      retired: undefined,
    })
    const sender = await findSender(domain.world.projectId, domain.id)
    expect(dkimValue(sender?.privateKeyPem)).toBe(active.value)
    expect((await keysOf(domain)).map(({ state }) => state)).toEqual(["retired", "retired", "active", "standby"])
  })

  test("is 409 while the standby is not published, and when it has vanished since; silent name servers do not matter", async () => {
    const waiting = await stage.registered()
    expect((await rotate(waiting)).json).toMatchObject({ status: 409, code: "domain.standby_not_verified" })
    const domain = await verified()
    const [, b] = domain.records.dkim
    stage.servers[0]?.answer(b.name, "TXT", ["v=DKIM1; k=rsa; p="])
    const refused = await rotate(domain)
    expectProblem(refused, 409, "domain.standby_not_verified")
    expect(refused.json.detail).toContain("revoked")
    expect((await keysOf(domain)).map(({ state }) => state)).toEqual(["active", "standby"])
    stage.servers[0]?.fault(b.name, "SERVFAIL")
    expect((await rotate(domain)).status).toBe(200)
  })

  test("happens once when two people ask at the same time", async () => {
    const domain = await verified()
    const answers = await Promise.all([rotate(domain), rotate(domain), rotate(domain)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect((await keysOf(domain)).map(({ state }) => state).sort()).toEqual(["active", "retired", "standby"])
  })

  test("is not undone by a check that began before it", async () => {
    const domain = await verified()
    await stage.makeDue(domain.id)
    const [watched] = await claimDueDomains(1)
    if (!watched) throw new Error("nothing was due")
    const outcome = await checkDomain(watched, stage.io, false)
    const { json } = await rotate(domain)
    expect(await saveCheck(watched, outcome)).toBe(false)
    expect((await get(domain)).verificationRecords).toEqual(json.verificationRecords)
  })

  test("is in the audit log, without a key", async () => {
    const domain = await verified()
    await rotate(domain)
    const { rows } = await pool().query("SELECT action, target, changes FROM audit_entries WHERE project_id = $1", [
      domain.world.projectId,
    ])
    const entry = rows.find(({ action }) => action === "domain.dkim_rotated")
    expect(entry).toMatchObject({ target: domain.domainId, changes: { targetName: "acme.com" } })
    expect(JSON.stringify(rows)).not.toMatch(/PRIVATE|MII/)
  })

  test("keeps the old value in the sandbox zone and the new one out of the zone file until the seven days are over", async () => {
    const domain = await verified()
    const [a] = domain.records.dkim
    const { json } = await rotate(domain)
    const [, idle] = json.verificationRecords.dkim
    const published = async (at: number) => {
      const all = await registrationsUnder("acme.com", ["eu-west-1"], new Date(at))
      return all.flatMap(({ records }) => records).find(({ name }) => name === a.name)?.value
    }
    expect(await published(stage.time.now)).toBe(a.value)
    expect(await published(stage.time.now + 7 * day)).toBe(idle.value)
    const zoneFile = async () =>
      (await domain.call("GET /v1/projects/{projectId}/domains/{domainId}/zone-file")).response.text()
    expect(await zoneFile()).toContain(`\n; ${a.name}. 300 IN TXT`)
    stage.time.now += 7 * day
    expect(await zoneFile()).toContain(`\n${a.name}. 300 IN TXT`)
  })
})
