import { beforeAll, describe, expect, test } from "vitest"
import { addVerifiedDomain } from "@/e2e/support/examples"
import { api, newKey, newMember, newWorld, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { encodeId, newId } from "@/lib/platform/ids"

const now = new Date()
const io = { clock: { now: () => now } }
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
const advisor = (world: World, key = world.apiKey) => api("GET /v1/metrics/advisor", { key, io })
const codesOf = ({ json }: { json: { recommendations: { code: string }[] } }) =>
  json.recommendations.map(({ code }) => code)

async function count(world: World, at: Date, counts: Record<string, number>) {
  const columns = Object.keys(counts)
  await pool().query(
    `INSERT INTO metric_hours (project_id, hour, ${columns.join(", ")})
      VALUES ($1, date_trunc('hour', $2::timestamptz), ${columns.map((_, at) => `$${at + 3}`).join(", ")})`,
    [world.projectId, at, ...Object.values(counts)],
  )
}

async function slice(world: World, dimension: string, key: string, counter: string, value: number) {
  for (const grain of ["hour", "day"]) {
    await pool().query(
      `INSERT INTO metric_slices (project_id, dimension, grain, starts_at, key, ${counter})
        VALUES ($1, $2, $3, date_trunc($3, $4::timestamptz, 'UTC'), $5, $6)`,
      [world.projectId, dimension, grain, hoursAgo(30), key, value],
    )
  }
}

let world: World
let domainId: string

beforeAll(async () => {
  world = await newWorld()
  domainId = await addVerifiedDomain(world)
  const counts = { sent: 2_000, delivered: 1_900, bounced: 50, complained: 2, opened: 200, any_opens: 400 }
  await count(world, hoursAgo(30), { ...counts, html_only: 300, clipped: 30, refused_ours: 4 })
})

describe("GET /v1/metrics/advisor", () => {
  test("finds what the counters show, links to the evidence and the fix, and adds up", async () => {
    const email = newId()
    await slice(world, "clipped", email, "clipped", 30)
    await slice(world, "refusal", "5.7.26 acme.test", "refused_ours", 3)
    await slice(world, "refusal", "5.7.1 other.test", "refused_ours", 1)
    const { status, json } = await advisor(world)
    expect(status).toBe(200)
    expect(json).toMatchObject({
      projectId: world.project,
      score: 100 - 10 - 8 - 4 - 3,
      rating: "Good",
      emails: 2_000,
      enoughEmails: true,
      generatedAt: now.toISOString(),
    })
    const root = `/projects/${world.project}`
    expect(json.recommendations).toMatchObject([
      {
        code: "bounce_rate_high",
        severity: "warning",
        deduction: 10,
        evidenceUrl: `${root}/emails?status=bounced`,
        data: { accepted: 2_000, bounced: 50, bounceRate: 0.025 },
      },
      { code: "sender_refused", message: expect.stringContaining("5.7.26"), fixUrl: `${root}/domains/${domainId}` },
      { code: "body_too_large", evidenceUrl: `${root}/emails/${encodeId("email", email)}` },
      { code: "text_part_missing" },
      { code: "proxy_inflated_opens", deduction: 0, data: { totalOpens: 400, proxyOpens: 200, proxyRate: 0.5 } },
    ])
  })

  test("reads DMARC reports of the domain", async () => {
    const reported = await newWorld()
    const id = await addVerifiedDomain(reported)
    for (let day = 1; day <= 31; day++) {
      await pool().query(
        `INSERT INTO dmarc_reports (id, project_id, domain_id, reporter, report_id, policy_domain, policy, began_at, ended_at, day,
            messages, aligned)
          SELECT $1, project_id, id, 'google.com', $2::text, name, 'none', now() - $2::int * interval '1 day', now() - $2::int * interval '1 day',
            (now() AT TIME ZONE 'UTC')::date - $2::int, 100, 99 FROM domains WHERE project_id = $3`,
        [newId(), day, reported.projectId],
      )
    }
    const { json } = await advisor(reported)
    expect(json.recommendations).toMatchObject([
      {
        code: "dmarc_policy_step_up",
        severity: "info",
        evidenceUrl: `/projects/${reported.project}/domains/${id}`,
        data: { dmarcDomain: "acme.test", dmarcReportingDays: 31, dmarcRecommendedPolicy: "quarantine" },
      },
    ])
    expect(json.score).toBe(98)
  })

  test("sees a jump of the last day, and silence", async () => {
    const jumping = await newWorld()
    await count(jumping, hoursAgo(2), { sent: 1_000, delivered: 1_000 })
    await count(jumping, hoursAgo(60), { sent: 700, delivered: 700 })
    expect(codesOf(await advisor(jumping))).toEqual(["volume_spike"])
    const silent = await newWorld()
    await count(silent, hoursAgo(24 * 31), { sent: 10, delivered: 10 })
    const { json } = await advisor(silent)
    expect(json.recommendations).toMatchObject([{ code: "dormant", data: { daysSinceLastSend: 31 } }])
    expect(json.enoughEmails).toBe(false)
  })

  test("names verified domains whose records are missing", async () => {
    const { projectId, project, ...rest } = await newWorld()
    const id = await addVerifiedDomain({ projectId, project, ...rest })
    await pool().query("UPDATE domains SET status = 'degraded' WHERE project_id = $1", [projectId])
    const { json } = await advisor({ projectId, project, ...rest })
    expect(json.recommendations).toMatchObject([
      { code: "domain_records_missing", fixUrl: `/projects/${project}/domains/${id}` },
    ])
    await pool().query("UPDATE domains SET status = 'failed' WHERE project_id = $1", [projectId])
    const failed = (await advisor({ projectId, project, ...rest })).json
    expect(failed).toMatchObject({ score: 80, recommendations: [{ code: "domain_cannot_send", severity: "critical" }] })
  })

  test("has nothing to say of a project without mail", async () => {
    const { json } = await advisor(await newWorld())
    expect(json).toMatchObject({ score: 100, rating: "Healthy", recommendations: [], emails: 0, enoughEmails: false })
  })

  test("is read with any one of three permissions, and by a member who names the project", async () => {
    for (const permission of ["emails:send", "emails:read", "metrics:read"] as const)
      expect((await advisor(world, (await newKey(world.projectId, [permission])).apiKey)).status).toBe(200)
    expect((await advisor(world, (await newKey(world.projectId, ["domains:read"])).apiKey)).status).toBe(403)
    const { cookie } = await newMember(world, "viewer")
    const { json } = await api("GET /v1/metrics/advisor", { cookie, query: { projectId: world.project }, io })
    expect(json.emails).toBe(2_000)
  })
})
