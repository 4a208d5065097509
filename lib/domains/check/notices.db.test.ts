import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest"
import { newMember } from "@/e2e/support/world"
import { systemEntries, takeNotices } from "@/e2e/support/access/notices"
import { checkDueDomains } from "@/lib/domains/check/worker"
import { newStage, type Registered, type Stage } from "@/e2e/support/domains/stage"
import { pool } from "@/lib/platform/database/db"
import { provideEnv } from "@/lib/platform/env/env"

const hour = 3_600_000
let stage: Stage

beforeAll(async () => {
  // Every server answers here: only a machine under load is slow.
  stage = await newStage(1, { timeoutMs: 2_000, totalMs: 4_500 })
})
beforeEach(() => {
  provideEnv({ SMTP_URL: "smtp://127.0.0.1:9?tls=none" })
  stage.reset()
})
afterEach(() => provideEnv({ SMTP_URL: "" }))
afterAll(() => stage.close())

async function verified(): Promise<Registered> {
  const domain = await stage.registered()
  appear(domain)
  await check(domain)
  expect(await takeNotices(domain.world)).toEqual([])
  return domain
}

const appear = ({ records }: Registered) => stage.publish([...records.dkim, records.mailFromMx, records.mailFromSpf])
const vanish = () => stage.reset()

/** Checks the domain so many hours from now, by the worker. */
async function check({ id }: Registered, hours = 0) {
  stage.time.now = Date.now() + hours * hour
  await stage.makeDue(id)
  expect(await checkDueDomains(stage.io)).toBe(1)
}

async function told({ world }: Registered) {
  return (await takeNotices(world)).map(({ email }) => email?.subject)
}

/** As if everything that was told had been told so long ago. */
async function later({ id }: Registered, hours: number) {
  const columns = ["told_verified_at", "told_degraded_at", "told_failed_at"]
  const set = columns.map((column) => `${column} = ${column} - interval '1 minute' * ${60 * hours}`).join(", ")
  await pool().query(`UPDATE domains SET ${set} WHERE id = $1`, [id])
}

test("owners are told that a domain is degraded, that sending has stopped, and that it is verified again", async () => {
  const domain = await verified()
  vanish()
  await check(domain)
  const [degraded, ...more] = await takeNotices(domain.world)
  expect(more).toEqual([])
  const page = `/projects/${domain.world.project}/domains/${domain.domainId}`
  expect(degraded?.mail).toMatchObject({ to: expect.stringMatching(/^owner-/), domain: "acme.com", status: "degraded" })
  expect(degraded?.email?.subject).toBe("DNS records of acme.com are missing")
  expect(degraded?.email?.text).toContain(`DKIM record at ${domain.records.dkim[0].name}: not found.`)
  expect(degraded?.email?.text).toContain(`MAIL FROM MX record at ${domain.records.mailFromMx.name}: not found.`)
  expect(degraded?.email?.text).not.toContain(domain.records.dkim[1].name)
  expect(degraded?.email?.text).toContain(page)

  await check(domain, 1)
  expect(await told(domain)).toEqual([])
  await check(domain, 73)
  expect(await told(domain)).toEqual(["Sending from acme.com has stopped"])
  appear(domain)
  await check(domain, 74)
  expect(await told(domain)).toEqual(["Verified again: acme.com"])
  await check(domain, 75)
  expect(await told(domain)).toEqual([])

  const entries = await systemEntries(domain.world)
  expect(entries.map(({ action, target }) => `${action} ${target}`)).toEqual(
    ["degraded", "failed", "verified"].map((status) => `domain.${status} ${domain.domainId}`),
  )
  expect(entries[0]?.changes).toMatchObject({
    targetName: "acme.com",
    missingSince: expect.any(String),
    faults: ["dkim-a", "mail-from-mx", "mail-from-spf"].map((record) => ({
      ...{ record, code: "not-found", facts: {}, found: [] },
      ...{ name: expect.any(String), expected: expect.any(String) },
    })),
  })
})

test("a domain that flaps brings one notice of each kind in 24 hours, and then what is still true", async () => {
  const domain = await verified()
  const all: (string | undefined)[] = []
  for (let turn = 0; turn < 4; turn++) {
    vanish()
    await check(domain)
    all.push(...(await told(domain)))
    appear(domain)
    await check(domain)
    all.push(...(await told(domain)))
  }
  expect(all).toEqual(["DNS records of acme.com are missing", "Verified again: acme.com"])
  expect(await systemEntries(domain.world)).toHaveLength(2)

  vanish()
  await check(domain)
  await later(domain, 23)
  await check(domain)
  expect(await told(domain)).toEqual([])
  await later(domain, 1.1)
  await check(domain)
  expect(await told(domain)).toEqual(["DNS records of acme.com are missing"])
})

test("every owner is told, and no other member", async () => {
  const domain = await verified()
  await newMember(domain.world, "owner")
  for (const role of ["admin", "developer", "viewer"] as const) await newMember(domain.world, role)
  vanish()
  await check(domain)
  const notices = await takeNotices(domain.world)
  expect(notices.map(({ mail }) => mail.to.split("-")[0])).toEqual(["owner", "owner"])
  expect(new Set(notices.map(({ mail }) => mail.to)).size).toBe(2)
})

test("nobody is told of a suspended project until it is active again, and then what is true", async () => {
  const domain = await verified()
  const suspend = (value: string) =>
    pool().query(`UPDATE projects SET suspended_at = ${value} WHERE id = $1`, [domain.world.projectId])
  await suspend("now()")
  vanish()
  await check(domain)
  expect(await told(domain)).toEqual([])
  expect(await systemEntries(domain.world)).toEqual([])
  await suspend("NULL")
  await check(domain)
  expect(await told(domain)).toEqual(["DNS records of acme.com are missing"])
})

test("a domain that was never verified is nobody's news", async () => {
  const domain = await stage.registered()
  await check(domain, 73)
  expect((await domain.call("GET /v1/projects/{projectId}/domains/{domainId}")).json.status).toBe("failed")
  expect(await told(domain)).toEqual([])
})

test("a check that somebody asks for tells the owners as well, and two at once tell them once", async () => {
  const domain = await verified()
  vanish()
  const verify = () => domain.call("POST /v1/projects/{projectId}/domains/{domainId}/verify")
  const answers = await Promise.all([verify(), verify(), verify()])
  expect(answers.map(({ json }) => json.status)).toEqual(["degraded", "degraded", "degraded"])
  expect(await told(domain)).toHaveLength(1)
})

test("without a mail server nothing is queued, and the audit log says it nevertheless", async () => {
  const domain = await verified()
  provideEnv({ SMTP_URL: "" })
  vanish()
  await check(domain)
  expect((await pool().query("SELECT 1 FROM system_mails")).rowCount).toBe(0)
  expect(await systemEntries(domain.world)).toHaveLength(1)
})
