import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest"
import { measured } from "@/e2e/support/measured"
import { api } from "@/e2e/support/world"
import { checkDueDomains } from "@/lib/domains/check/worker"
import { newStage, type Registered, type Stage } from "@/e2e/support/domains/stage"

const hour = 3_600_000
let stage: Stage

beforeAll(async () => {
  stage = await newStage()
})
beforeEach(() => stage.reset())
afterEach(() => stage.reset())
afterAll(() => stage.close())

/** What everybody sees of a domain, and whether mail from it is taken. */
async function stateOf({ world, call }: Registered) {
  const { json } = await call("GET /v1/projects/{projectId}/domains/{domainId}")
  const sent = await api("POST /v1/emails", {
    key: world.apiKey,
    body: { from: "hello@acme.com", to: ["ada@lovelace.example"], subject: "Hello", text: "Hi", testMode: true },
  })
  return { status: json.status, dkim: json.dkimStatus, mailFrom: json.mailFromStatus, sending: sent.status }
}

test(
  "a domain is pending, verified, degraded, verified, degraded, failed after 72 hours, and verified again",
  measured,
  async () => {
    const domain = await stage.registered()
    const { dkim, mailFromMx, mailFromSpf } = domain.records
    const began = stage.time.now
    /** Hours since registration. Only the worker checks; nobody runs one. */
    const at = async (hours: number) => {
      stage.time.now = began + hours * hour
      await stage.makeDue(domain.id)
      expect(await checkDueDomains(stage.io)).toBe(1)
      return stateOf(domain)
    }
    const publishAll = () => stage.publish([...dkim, mailFromMx, mailFromSpf])
    const waiting = { status: "pending", dkim: "pending", mailFrom: "pending", sending: 422 }
    const verified = { status: "verified", dkim: "verified", mailFrom: "verified", sending: 201 }
    const vanishedMx = { ...verified, status: "degraded", mailFrom: "pending" }

    expect(await stateOf(domain)).toEqual(waiting)
    stage.publish([mailFromMx, mailFromSpf])
    expect(await at(71)).toEqual({ ...waiting, mailFrom: "verified" })
    publishAll()
    expect(await at(71.9)).toEqual(verified)

    stage.servers[0]?.answer(mailFromMx.name, "MX", [])
    expect(await at(100)).toEqual(vanishedMx)
    publishAll()
    expect(await at(171)).toEqual(verified)

    stage.servers[0]?.answer(mailFromMx.name, "MX", [])
    expect(await at(200)).toEqual(vanishedMx)
    expect(await at(271.9)).toEqual(vanishedMx)
    expect(await at(272)).toEqual({ status: "failed", dkim: "verified", mailFrom: "failed", sending: 422 })
    expect(await at(500)).toMatchObject({ status: "failed", sending: 422 })
    publishAll()
    expect(await at(501)).toEqual(verified)

    const { json } = await domain.call("GET /v1/projects/{projectId}/domains/{domainId}/checks")
    const kept = json.data.map(({ status }: { status: string }) => status).toReversed()
    expect(kept).toEqual(["pending", "verified", "degraded", "verified", "degraded", "failed", "verified"])
  },
)

test("a domain that was never published fails after 72 hours and is still found when it is", async () => {
  const domain = await stage.registered()
  const began = stage.time.now
  const at = async (hours: number) => {
    stage.time.now = began + hours * hour
    await stage.makeDue(domain.id)
    await checkDueDomains(stage.io)
    return stateOf(domain)
  }
  expect((await at(71.9)).status).toBe("pending")
  expect(await at(72.1)).toEqual({ status: "failed", dkim: "failed", mailFrom: "failed", sending: 422 })
  stage.publish([domain.records.dkim[0], domain.records.mailFromMx, domain.records.mailFromSpf])
  expect((await at(1000)).status).toBe("verified")
})
