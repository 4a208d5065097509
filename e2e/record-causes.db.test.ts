import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest"
import { systemEntries, takeNotices } from "@/e2e/support/access/notices"
import { sampleCauses } from "@/e2e/support/domains/sample-causes"
import { newStage, type Registered, type Stage } from "@/e2e/support/domains/stage"
import { api, newSession } from "@/e2e/support/world"
import { addSystemAudit } from "@/lib/access/audit/data"
import { addNotice } from "@/lib/access/notices/data"
import { checkDomain } from "@/lib/domains/check/check"
import { saveCheck, watchedDomain } from "@/lib/domains/check/data"
import { type Cause, causeWords } from "@/lib/explanation/record-words"
import { unscopedTransaction, pool } from "@/lib/platform/database/db"
import type { Scope } from "@/lib/platform/http/scope"
import { provideEnv } from "@/lib/platform/env/env"

let stage: Stage
let domain: Registered
let cookie: string

beforeAll(async () => {
  stage = await newStage(1, { timeoutMs: 2_000, totalMs: 4_500 })
  stage.reset()
  domain = await stage.registered()
  cookie = await newSession(domain.world.userId)
})
beforeEach(async () => {
  provideEnv({ SMTP_URL: "smtp://127.0.0.1:9?tls=none" })
  await pool().query("DELETE FROM rate_windows")
})
afterEach(() => provideEnv({ SMTP_URL: "" }))
afterAll(() => stage.close())

/** As if a check of the verified domain had found this about its MX record. */
async function found(cause: Cause) {
  const { id, world } = domain
  await pool().query(
    `UPDATE domains SET status = 'verified', verified_at = now(), missing_since = NULL, told_status = NULL,
        told_degraded_at = NULL WHERE id = $1`,
    [id],
  )
  // The history shows a finding once, until its code is another one.
  await pool().query("DELETE FROM domain_checks WHERE domain_id = $1", [id])
  const project = { id: world.projectId, organizationId: world.organizationId }
  const watched = await watchedDomain({ project } as Scope, id)
  if (!watched) throw new Error("The domain is gone.")
  const outcome = await checkDomain(watched, stage.io, true)
  const records = outcome.records.map((record) =>
    record.key === "mail-from-mx"
      ? { ...record, status: "failed" as const, found: ["10 mx.other.com"], likelyCause: cause }
      : record,
  )
  expect(await saveCheck(watched, { ...outcome, status: "degraded", missingSince: new Date(), records })).toBe(true)
}

const entries = async () =>
  (
    await api("GET /v1/projects/{projectId}/audit-entries", {
      cookie,
      params: { projectId: domain.world.project },
      query: { action: "domain.degraded", size: "1" },
    })
  ).json.data
const notices = async () => (await api("GET /v1/session/notices", { cookie, query: { size: "1" } })).json.data

test.each(sampleCauses.map((cause) => [cause.code, cause] as const))(
  "%s is stored as a code, and says the same on the page, in the history, the audit log, the notice and its email",
  async (_, cause) => {
    await found(cause)
    const words = causeWords(cause)
    const line = `MAIL FROM MX record at ${domain.records.mailFromMx.name}: ${words.message}`

    const shown = (await domain.call("GET /v1/projects/{projectId}/domains/{domainId}")).json
    expect(shown.verificationRecords.mailFromMx.likelyCause).toEqual(words)
    const ofMx = ({ record }: { record: string }) => record === "mail-from-mx"
    expect(shown.checks[0].changes.find(ofMx).likelyCause).toEqual(words)
    const checks = (await domain.call("GET /v1/projects/{projectId}/domains/{domainId}/checks")).json.data
    expect(checks[0].changes.find(ofMx).likelyCause).toEqual(words)

    expect((await entries())[0].changes.faults).toContain(line)
    expect((await notices())[0].details).toContain(line)
    const [notice] = await takeNotices(domain.world)
    expect(notice?.email?.text).toContain(line)

    const stored = { record: "mail-from-mx", found: ["10 mx.other.com"], ...cause }
    const entry = (await systemEntries(domain.world)).at(-1)
    expect(entry?.changes.faults).toContainEqual(expect.objectContaining(stored))
    const { rows } = await pool().query("SELECT facts FROM notices WHERE project_id = $1 ORDER BY id DESC LIMIT 1", [
      domain.world.projectId,
    ])
    expect(rows[0].facts.recordFaults).toContainEqual(expect.objectContaining(stored))
    expect(JSON.stringify([entry, rows, notice?.mail])).not.toContain(words.message)
  },
)

test("entries and notices of the release before show the sentences that they stored", async () => {
  const faults = [`DKIM record at ${domain.records.dkim[0].name}: Another key is published at this name.`]
  const { organizationId, projectId } = domain.world
  const since = "2026-11-22T10:04:00.000Z"
  await unscopedTransaction(async (tx) => {
    const changes = { missingSince: since, faults }
    await addSystemAudit({ organizationId, projectId }, { action: "domain.degraded", name: "acme.com", changes })
    const notice = { kind: "domain-status", domain: "acme.com", status: "degraded", since, faults } as const
    await addNotice(projectId, notice, `domains/${domain.domainId}`, tx)
  })
  expect((await entries())[0].changes).toEqual({ missingSince: since, faults })
  expect((await notices())[0].details).toContain(faults[0])
})
