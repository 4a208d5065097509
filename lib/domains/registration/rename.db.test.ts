import { expectProblem } from "@/e2e/support/expect-problem"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { pool } from "@/lib/platform/database/db"
import { newStage, type Registered, type Stage } from "@/e2e/support/domains/stage"

let stage: Stage

beforeAll(async () => {
  stage = await newStage()
})
beforeEach(() => stage.reset())
afterEach(() => stage.reset())
afterAll(() => stage.close())

const patch = ({ call }: Registered, body: unknown) =>
  call("PATCH /v1/projects/{projectId}/domains/{domainId}", { body })
const verify = async ({ call }: Registered) =>
  (await call("POST /v1/projects/{projectId}/domains/{domainId}/verify")).json

describe("other host names", () => {
  test("replace the three records' names, forget what was found at the old ones, and verify at the new ones", async () => {
    const domain = await stage.registered()
    const { dkim, mailFromMx, mailFromSpf } = domain.records
    stage.publish([...dkim, mailFromMx])
    expect((await verify(domain)).verificationRecords.mailFromMx.status).toBe("verified")
    const { status, json } = await patch(domain, { mailFromDomain: "Bounces.ACME.com.", trackingDomain: "go.acme.com" })
    expect(status).toBe(200)
    expect(json).toMatchObject({
      mailFromDomain: "bounces.acme.com",
      mailFromStatus: "pending",
      dkimStatus: "verified",
    })
    const after = json.verificationRecords
    expect({
      mailFromMxName: after.mailFromMx.name,
      mailFromSpfName: after.mailFromSpf.name,
      trackingCnameName: after.trackingCname.name,
    }).toEqual({
      mailFromMxName: "bounces.acme.com",
      mailFromSpfName: "bounces.acme.com",
      trackingCnameName: "go.acme.com",
    })
    expect({ status: after.mailFromMx.status, found: after.mailFromMx.found }).toEqual({
      status: "pending",
      found: undefined,
    })
    expect(after.mailFromMx.value).toBe(mailFromMx.value)
    stage.publish([
      { ...mailFromMx, name: "bounces.acme.com" },
      { ...mailFromSpf, name: "bounces.acme.com" },
    ])
    stage.time.now += 1000
    expect((await verify(domain)).status).toBe("verified")
  })

  test("are refused once the domain was verified, even after it failed again", async () => {
    const domain = await stage.registered()
    stage.publish([...domain.records.dkim, domain.records.mailFromMx, domain.records.mailFromSpf])
    await verify(domain)
    await pool().query("UPDATE domains SET status = 'failed' WHERE id = $1", [domain.id])
    const { status, json } = await patch(domain, { trackingDomain: "go.acme.com" })
    expectProblem({ status, json }, 409, "domain.already_verified")
    const { rows } = await pool().query<{ mailFromDomain: string; trackingDomain: string }>(
      'SELECT mail_from_domain AS "mailFromDomain", tracking_domain AS "trackingDomain" FROM domains WHERE id = $1',
      [domain.id],
    )
    for (const names of [{}, ...rows]) {
      const same = await patch(domain, names)
      expect([same.status, same.json.status], JSON.stringify(names)).toEqual([200, "failed"])
    }
  })

  test.each([
    ["a name elsewhere", { mailFromDomain: "send.other.com" }, "/mailFromDomain"],
    ["the domain itself", { mailFromDomain: "acme.com" }, "/mailFromDomain"],
    ["a name that only ends alike", { trackingDomain: "links.notacme.com" }, "/trackingDomain"],
    ["no host name", { trackingDomain: "https://links.acme.com/" }, "/trackingDomain"],
    ["one name for both", { mailFromDomain: "x.acme.com", trackingDomain: "x.acme.com" }, "/trackingDomain"],
    ["the name of the tracking host", { mailFromDomain: "links.acme.com" }, "/mailFromDomain"],
    ["another field", { domain: "acme.org" }, "/domain"],
  ])("refuse %s with its pointer", async (_, body, pointer) => {
    const { status, json } = await patch(await stage.registered(), body)
    expect({ status, pointer: json.errors?.[0]?.pointer }).toEqual({ status: 400, pointer })
  })

  test("refuse a MAIL FROM domain that another registration uses", async () => {
    const [first, second] = [await stage.registered(), await stage.registered()]
    const { status, json } = await patch(second, { mailFromDomain: first.records.mailFromMx.name })
    expectProblem({ status, json }, 409, "domain.mail_from_taken")
  })

  test("give a domain that had failed another three days, and are in the audit log", async () => {
    const domain = await stage.registered()
    stage.time.now += 73 * 3_600_000
    expect((await verify(domain)).status).toBe("failed")
    const { json } = await patch(domain, { mailFromDomain: "news.acme.com" })
    expect(json.status).toBe("pending")
    stage.time.now += 3_600_000
    expect((await verify(domain)).status).toBe("pending")
    const { rows } = await pool().query("SELECT action, changes FROM audit_entries WHERE project_id = $1", [
      domain.world.projectId,
    ])
    expect(rows.find(({ action }) => action === "domain.renamed")).toMatchObject({
      changes: { after: { mailFromDomain: "news.acme.com" } },
    })
  })

  test("change nothing when they are the same, and nothing is written down", async () => {
    const domain = await stage.registered()
    expect((await patch(domain, {})).status).toBe(200)
    expect((await patch(domain, { trackingDomain: "links.acme.com" })).json.verificationRecords).toEqual(domain.records)
    const { rows } = await pool().query(
      "SELECT 1 FROM audit_entries WHERE project_id = $1 AND action = 'domain.renamed'",
      [domain.world.projectId],
    )
    expect(rows).toEqual([])
  })
})
