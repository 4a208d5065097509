import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { addVerifiedDomain } from "@/e2e/support/examples"
import { api, newKey, newMember, newWorld, type World } from "@/e2e/support/world"
import { systemEntries, takeNotices } from "@/e2e/support/access/notices"
import { pool } from "@/lib/platform/database/db"
import { provideEnv } from "@/lib/platform/env/env"
import { log } from "@/lib/platform/log"
import { tellOfQuotas } from "@/lib/projects/worker"

beforeEach(() => provideEnv({ SMTP_URL: "smtp://127.0.0.1:9?tls=none" }))
afterEach(() => {
  vi.restoreAllMocks()
  provideEnv({ SMTP_URL: "" })
})

async function used(world: World, count: number, day = "(now() AT TIME ZONE 'UTC')::date") {
  await pool().query(
    `INSERT INTO quota_days (organization_id, day, used) VALUES ($1, ${day}, $2)
      ON CONFLICT (organization_id, day) DO UPDATE SET used = excluded.used`,
    [world.organizationId, count],
  )
}

const allow = (world: World, daily: number, ceiling = daily) =>
  pool().query("UPDATE organizations SET daily_sends = $2, daily_sends_ceiling = $3 WHERE id = $1", [
    world.organizationId,
    daily,
    ceiling,
  ])

async function told(world: World): Promise<unknown[]> {
  return (await takeNotices(world)).map(({ mail }) => ("percent" in mail ? mail.percent : mail))
}

test("owners are told at 80 percent and at the end of the quota, once a day each", async () => {
  const world = await newWorld()
  await newMember(world, "owner")
  await newMember(world, "admin")
  await allow(world, 1_000, 5_000)
  await used(world, 799)
  await tellOfQuotas()
  expect(await told(world)).toEqual([])

  await used(world, 800)
  await tellOfQuotas()
  await used(world, 900)
  await tellOfQuotas()
  const notices = await takeNotices(world)
  expect(notices.map(({ mail }) => mail.to.split("-")[0])).toEqual(["owner", "owner"])
  const [{ rows }, first] = [
    await pool().query("SELECT to_char((now() AT TIME ZONE 'UTC')::date + 1, 'FMDD Mon YYYY') AS tomorrow"),
    notices[0],
  ]
  expect(first?.email?.text).toContain("has sent 800 of 1,000 emails today")
  expect(first?.email?.text).toContain(`It resets at midnight UTC (${rows[0].tomorrow}, 00:00 UTC).`)
  expect(first?.email?.text).toContain("raise the limit to 5,000 a day under Settings, Limits")
  expect(first?.email?.text).toContain(`/projects/${world.project}/settings\n`)

  await used(world, 1_000)
  await tellOfQuotas()
  expect(await told(world)).toEqual([100, 100])
  // A higher limit, of which again 80 percent are used, is the same day.
  await allow(world, 5_000)
  await used(world, 4_500)
  await tellOfQuotas()
  expect(await told(world)).toEqual([])

  const entries = await systemEntries(world)
  expect(entries.map(({ action }) => action)).toEqual(["organization.quota_nearly_used", "organization.quota_used_up"])
  expect(entries[0]?.changes).toMatchObject({ used: 800, dailySends: 1_000 })
})

test("200 sends at once with several passes at once bring each notice once", async () => {
  const world = await newWorld()
  await addVerifiedDomain(world)
  await allow(world, 100)
  await pool().query("UPDATE projects SET per_second_sends = 1000 WHERE id = $1", [world.projectId])
  const keys = await Promise.all(Array.from({ length: 20 }, () => newKey(world.projectId)))
  const body = { from: "hello@acme.test", to: ["ada@lovelace.example"], subject: "Hello", text: "Hi" }
  const send = (at: number) => api("POST /v1/emails", { key: keys[at % 20]?.apiKey ?? "", body })
  const sendsWithPasses = async (count: number) => {
    const sends = Promise.all(Array.from({ length: count }, (_, at) => send(at)))
    const passes = Promise.all(Array.from({ length: 12 }, () => tellOfQuotas()))
    const answers = await sends
    await passes
    await Promise.all(Array.from({ length: 4 }, () => tellOfQuotas()))
    return answers.filter(({ status }) => status === 201).length
  }
  expect(await sendsWithPasses(85)).toBe(85)
  expect(await told(world)).toEqual([80])
  expect(await sendsWithPasses(115)).toBe(15)
  expect(await told(world)).toEqual([100])
}, 60_000)

test("of a quota that is used up between two passes only the end is told", async () => {
  const world = await newWorld()
  await allow(world, 10)
  await used(world, 10)
  await Promise.all(Array.from({ length: 5 }, () => tellOfQuotas()))
  expect(await told(world)).toEqual([100])
  expect(await systemEntries(world)).toHaveLength(1)
})

test("yesterday, organizations without an active project, and unused quotas are not told", async () => {
  const [yesterday, suspended, deleted, unused] = await Promise.all(Array.from({ length: 4 }, () => newWorld()))
  for (const world of [yesterday, suspended, deleted, unused] as World[]) await allow(world, 10)
  await used(yesterday as World, 10, "(now() AT TIME ZONE 'UTC')::date - 1")
  await used(suspended as World, 10)
  await used(deleted as World, 10)
  await allow(unused as World, 0)
  await used(unused as World, 0)
  await pool().query("UPDATE projects SET suspended_at = now() WHERE id = $1", [suspended?.projectId])
  await pool().query("UPDATE projects SET deleted_at = now() WHERE id = $1", [deleted?.projectId])
  await tellOfQuotas()
  expect((await pool().query("SELECT 1 FROM system_mails")).rowCount).toBe(0)
})

test("a notice that fails is not counted as told, and holds up no other", async () => {
  const errors = vi.spyOn(log, "error").mockReturnValue()
  const [broken, fine] = [await newWorld(), await newWorld()]
  for (const world of [broken, fine]) await allow(world, 10).then(() => used(world, 10))
  await pool().query(
    `CREATE FUNCTION refuse_notice() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
    CREATE TRIGGER refuse_notice BEFORE INSERT ON audit_entries FOR EACH ROW
      WHEN (NEW.organization_id = '${broken.organizationId}') EXECUTE FUNCTION refuse_notice()`,
  )
  await tellOfQuotas()
  await pool().query("DROP TRIGGER refuse_notice ON audit_entries; DROP FUNCTION refuse_notice()")
  expect(await told(fine)).toEqual([100])
  expect(errors).toHaveBeenCalledTimes(1)
  await tellOfQuotas()
  expect(await told(broken)).toEqual([100])
})
