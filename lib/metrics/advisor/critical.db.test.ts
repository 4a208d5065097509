import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { newMember, newWorld, type World } from "@/e2e/support/world"
import { systemEntries, takeNotices } from "@/e2e/support/access/notices"
import { createRateNotices } from "@/lib/metrics/advisor/worker"
import { pool } from "@/lib/platform/database/db"
import { provideEnv } from "@/lib/platform/env/env"
import { newId } from "@/lib/platform/ids"
import { log } from "@/lib/platform/log"
import { registry } from "@/lib/platform/metrics"

beforeEach(() => provideEnv({ SMTP_URL: "smtp://127.0.0.1:9?tls=none" }))
afterEach(async () => {
  vi.restoreAllMocks()
  provideEnv({ SMTP_URL: "" })
  await pool().query("DELETE FROM metric_hours")
})

async function pass(batch?: number) {
  const round = createRateNotices(batch)
  while (await round());
}

async function count(world: World, counts: Record<string, number>, hoursAgo = 1) {
  const columns = Object.keys(counts)
  await pool().query(
    `INSERT INTO metric_hours (project_id, hour, ${columns.join(", ")})
      VALUES ($1, date_trunc('hour', now() - make_interval(hours => $2)), ${columns.map((_, at) => `$${at + 3}`).join(", ")})
      ON CONFLICT (project_id, hour) DO UPDATE SET ${columns.map((name) => `${name} = excluded.${name}`).join(", ")}`,
    [world.projectId, hoursAgo, ...Object.values(counts)],
  )
}

async function slice(world: World, dimension: string, key: string, counts: { sent: number; bounced: number }) {
  for (const grain of ["hour", "day"]) {
    await pool().query(
      `INSERT INTO metric_slices (project_id, dimension, grain, starts_at, key, sent, bounced)
        VALUES ($1, $2, $3, date_trunc($3, now() - interval '30 hours', 'UTC'), $4, $5, $6)`,
      [world.projectId, dimension, grain, key, counts.sent, counts.bounced],
    )
  }
}

const subjects = async (world: World) => (await takeNotices(world)).map(({ email }) => email?.subject)
const critical = { sent: 620, delivered: 580, bounced: 40 }

test("a critical bounce rate is told with the advisor's figures and the largest cause, to every owner", async () => {
  const world = await newWorld()
  await newMember(world, "owner")
  await newMember(world, "admin")
  const topic = newId()
  await pool().query(
    "INSERT INTO topics (id, project_id, name, default_subscription, visibility) VALUES ($1, $2, 'News', 'opt_in', 'public')",
    [topic, world.projectId],
  )
  await count(world, critical)
  await slice(world, "topic", topic, { sent: 60, bounced: 38 })
  await slice(world, "provider", "gmail", { sent: 300, bounced: 30 })
  await slice(world, "domain", "acme.test", { sent: 620, bounced: 40 })
  await pass()
  const notices = await takeNotices(world)
  expect(notices.map(({ mail }) => mail.to.split("-")[0])).toEqual(["owner", "owner"])
  const { subject, text } = notices[0]?.email ?? {}
  expect(subject).toMatch(/^6.5% of your emails bounced: Project \S+$/)
  expect(text).toContain("40 of 620 sent emails in 30 days bounced.")
  expect(text).toContain("The largest part, 38 of 40, is email of the topic News.")
  expect(text).toContain(`/projects/${world.project}/metrics#advisor\n`)
  expect(await systemEntries(world)).toEqual([
    {
      action: "project.bounce_rate_critical",
      target: world.project,
      changes: { accepted: 620, bounced: 40, bounceRate: 40 / 620, targetName: expect.stringMatching(/^Project /) },
    },
  ])
})

test("it is told once however many passes run, and again only after it recovered and a week has passed", async () => {
  const world = await newWorld()
  await count(world, critical)
  await Promise.all(Array.from({ length: 6 }, () => pass()))
  await pass()
  expect(await subjects(world)).toHaveLength(1)

  const weekLater = () => pool().query("UPDATE rate_notices SET told_at = told_at - interval '8 days'")
  await weekLater()
  await pass()
  expect(await subjects(world)).toEqual([])

  await count(world, { sent: 6_200, bounced: 40 })
  await pass()
  await count(world, critical)
  await Promise.all(Array.from({ length: 6 }, () => pass()))
  expect(await subjects(world)).toHaveLength(1)

  // It recovers, and is critical again within the week: told when the week has ended.
  await count(world, { sent: 6_200, bounced: 40 })
  await pass()
  await count(world, critical)
  await pass()
  expect(await subjects(world)).toEqual([])
  await weekLater()
  await pass()
  expect(await subjects(world)).toHaveLength(1)
})

test("complaints are a notice of their own", async () => {
  const world = await newWorld()
  await count(world, { sent: 2_000, delivered: 2_000, bounced: 100, complained: 6 })
  await pass()
  expect((await subjects(world)).toSorted()).toEqual([
    expect.stringMatching(/^0.3% of recipients marked your email as spam: /),
    expect.stringMatching(/^5% of your emails bounced: /),
  ])
})

test("small numbers, warnings, suspended projects and bounces of long ago are not told", async () => {
  const [few, warned, suspended, old] = await Promise.all(Array.from({ length: 4 }, () => newWorld()))
  await count(few as World, { sent: 199, bounced: 199 })
  await count(warned as World, { sent: 1_000, bounced: 49 })
  await count(suspended as World, critical)
  await count(old as World, critical, 26)
  await pool().query("UPDATE projects SET suspended_at = now() WHERE id = $1", [suspended?.projectId])
  await pass()
  for (const world of [few, warned, suspended, old] as World[]) {
    expect(await subjects(world)).toEqual([])
    expect(await systemEntries(world)).toEqual([])
  }
})

test("passes go through all projects in batches, and one that fails holds up no other", async () => {
  const errors = vi.spyOn(log, "error").mockReturnValue()
  const worlds = await Promise.all(Array.from({ length: 5 }, () => newWorld()))
  for (const world of worlds) await count(world, critical)
  const [broken, ...fine] = worlds.toSorted((a, b) => (a.projectId < b.projectId ? -1 : 1))
  await pool().query(
    `CREATE FUNCTION refuse_notice() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
    CREATE TRIGGER refuse_notice BEFORE INSERT ON rate_notices FOR EACH ROW
      WHEN (NEW.project_id = '${broken?.projectId}') EXECUTE FUNCTION refuse_notice()`,
  )
  await pass(2)
  await pool().query("DROP TRIGGER refuse_notice ON rate_notices; DROP FUNCTION refuse_notice()")
  expect(errors).toHaveBeenCalledTimes(1)
  const { rows } = await pool().query("SELECT project_id FROM rate_notices WHERE project_id = ANY ($1)", [
    worlds.map(({ projectId }) => projectId),
  ])
  expect(rows.map(({ project_id }) => project_id).toSorted()).toEqual(fine.map(({ projectId }) => projectId))
  await pass(2)
  expect(await subjects(broken as World)).toHaveLength(1)
})

test("a scrape names the sending domains with the most bounces and complaints of the last 24 hours, ten of each", async () => {
  const world = await newWorld()
  const other = await newWorld()
  await pool().query("DELETE FROM metric_slices")
  const add = async (of: World, domain: string, [sent, bounced, complained]: number[], hoursAgo = 2) => {
    await pool().query(
      `INSERT INTO metric_slices (project_id, dimension, grain, starts_at, key, sent, bounced, complained)
        VALUES ($1, 'domain', 'hour', date_trunc('hour', now() - make_interval(hours => $2)), $3, $4, $5, $6)`,
      [of.projectId, hoursAgo, domain, sent, bounced, complained],
    )
  }
  for (let n = 0; n < 14; n++) await add(world, `b${n}.test`, [100, 20 + n, 0])
  await add(world, "angry.test", [50, 1, 4])
  await add(other, "angry.test", [50, 0, 3])
  await add(world, "fine.test", [900, 0, 0])
  await add(world, "yesterday.test", [900, 500, 500], 30)
  await pass()
  const found = await domainCounts()
  expect(found.get("angry.test")).toEqual({ sent: 100, bounced: 1, complained: 7 })
  expect(found.get("b13.test")).toEqual({ sent: 100, bounced: 33, complained: 0 })
  expect([...found.keys()].toSorted()).toEqual(
    ["angry.test", ...Array.from({ length: 10 }, (_, n) => `b${n + 4}.test`)].toSorted(),
  )

  await pool().query("DELETE FROM metric_slices")
  await pass()
  expect([...(await domainCounts()).keys()]).toEqual([])
})

async function domainCounts(): Promise<Map<string, Record<string, number>>> {
  const { values } = (await registry().getSingleMetric("mailroom_domain_emails_last_day")?.get()) ?? { values: [] }
  const found = new Map<string, Record<string, number>>()
  for (const { labels, value } of values)
    found.set(String(labels.domain), { ...found.get(String(labels.domain)), [String(labels.count)]: value })
  return found
}
