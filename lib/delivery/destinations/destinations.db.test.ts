import { beforeEach, describe, expect, test } from "vitest"
import { expectProblem } from "@/e2e/support/expect-problem"
import { newSending, sendMail, type Sending } from "@/e2e/support/delivery/sending"
import { api, newSession, newWorld } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"

let cookie: string
let operatorOrganization: string

beforeEach(async () => {
  await pool().query("UPDATE deliveries SET due_at = NULL")
  await pool().query("DELETE FROM delivery_queues WHERE kind = 'destination'")
  await pool().query("DELETE FROM destinations")
  const world = await newWorld()
  operatorOrganization = world.organizationId
  await pool().query("UPDATE users SET operator_since = now() WHERE id = $1", [world.userId])
  cookie = await newSession(world.userId)
})

describe("the operator", () => {
  test("sees each destination with its state, what waits and since when, those in trouble first", async () => {
    await add("flowing.example", {})
    const slowed = await add("slowed.example", { pace_per_minute: 12.5, limited_since: "2026-01-01T10:00:00Z" })
    const away = await add("away.example", {
      ...{ pause: "away", paused_until: "2999-01-01T00:00:00Z", limited_since: "2026-01-01T11:00:00Z" },
      reply: "connect: no route to host",
    })
    const tried = await add("tried.example", {
      pause: "slow",
      paused_until: "2020-01-01T00:00:00Z",
      limited_since: "2026-01-01T09:00:00Z",
    })
    const sending = await newSending()
    await wait(sending, away, ["ada", "bob"])
    const { json } = await api("GET /v1/operator/destinations", { cookie })
    expect(json.data.map(({ name, state, waiting }: Shown) => [name, state, waiting])).toEqual([
      ["away.example", "paused", 2],
      ["slowed.example", "slowed", 0],
      ["tried.example", "trying", 0],
      ["flowing.example", "flowing", 0],
    ])
    expect(json.data[0]).toMatchObject({
      ...{ id: String(away), pause: "away", pausedUntil: "2999-01-01T00:00:00.000Z", region: "eu-west-1" },
      ...{ reply: "connect: no route to host", oldestAt: expect.stringMatching(/^20/) },
    })
    expect(json.data[1]).toMatchObject({ id: String(slowed), pacePerMinute: 12.5 })
    expect(json.data[2]).toMatchObject({ id: String(tried), pause: "slow" })
    expect(json.page.total).toBe(4)
  })

  test("lists those of one region, page by page", async () => {
    for (let nth = 0; nth < 3; nth++) await add(`mx${nth}.example`, {})
    await add("elsewhere.example", { region: "us-east-1" })
    const { json } = await api("GET /v1/operator/destinations", {
      cookie,
      query: { region: "eu-west-1", size: "2", page: "2" },
    })
    expect(json.data).toHaveLength(1)
    expect(json.page).toMatchObject({ total: 3, totalPages: 2 })
  })

  test("sees of one its servers, domains, what was learned, whose email waits, and the replies by how often", async () => {
    const id = await add("full.example", { connections: 3, limits: JSON.stringify({ mailsPerConnection: 7 }) })
    await pool().query(
      "INSERT INTO destination_domains (domain, destination_id) SELECT 'lovelace.example', destination_id FROM delivery_queues WHERE id = $1",
      [id],
    )
    await pool().query(
      `INSERT INTO destination_hours (queue_id, hour, delivered, deferred, signals) VALUES
        ($1, date_trunc('hour', now()) - interval '30 hours', 1, 1, '{away}'),
        ($1, date_trunc('hour', now()) - interval '2 hours', 40, 2, '{slow,connections}')`,
      [id],
    )
    const [one, other] = [await newSending(), await newSending()]
    await wait(one, id, ["ada", "bob"], "421 4.7.0 Slow down")
    await wait(other, id, ["cy"], "450 4.2.1 Later")
    const { json } = await read(id)
    expect(json).toMatchObject({
      ...{
        hosts: ["full.example"],
        domains: ["lovelace.example"],
        learned: { connections: 3 },
        limits: { mailsPerConnection: 7 },
      },
      ...{
        waiting: 3,
        hours: [{ delivered: 40, deferred: 2, signals: ["slow", "connections"] }],
        replies: [
          { reply: "421 4.7.0 Slow down", count: 2 },
          { reply: "450 4.2.1 Later", count: 1 },
        ],
      },
    })
    expect(
      json.projects.map(({ projectId, waiting }: { projectId: string; waiting: number }) => [projectId, waiting]),
    ).toEqual([
      [one.project, 2],
      [other.project, 1],
    ])
  })

  test("T106: is told which project a destination refuses most often, where the email of others waits for that", async () => {
    const id = await add("shared.example", { pace_per_minute: 1, limited_since: new Date().toISOString() })
    const [one, other] = [await newSending(), await newSending()]
    const refused = (sender: Sending, replies: number, hoursAgo: number) =>
      pool().query(
        `INSERT INTO destination_refusals (queue_id, hour, project_id, count)
          VALUES ($1, date_trunc('hour', now()) - make_interval(hours => $2), $3, $4)`,
        [id, hoursAgo, sender.projectId, replies],
      )
    const refusals = async () => (await read(id)).json.refusals
    await refused(one, 9, 1)
    await wait(other, id, ["ada"])
    // Too few to say anything.
    expect(await refusals()).toEqual({
      replies: 9,
      projects: [{ projectId: one.project, name: expect.any(String), replies: 9 }],
    })
    await refused(one, 3, 2)
    expect(await refusals()).toMatchObject({ replies: 12, provoker: one.project })
    await refused(one, 500, 30)
    await refused(other, 12, 2)
    const projects = [one, other].map(({ project }) => ({ projectId: project, replies: 12 }))
    const shown = await refusals()
    expect(shown).toMatchObject({
      replies: 24,
      projects: expect.arrayContaining(projects.map((p) => expect.objectContaining(p))),
    })
    // Half of them is not most.
    expect(shown).not.toHaveProperty("provoker")
  })

  test("pauses until it is resumed, tries at once, and each is a new revision for the worker and an entry of the audit log", async () => {
    const id = await add("act.example", {})
    expect((await act(id, "pause")).json).toMatchObject({ state: "paused", pause: "operator" })
    expect((await act(id, "resume")).json).toMatchObject({ state: "flowing" })
    await pool().query(
      "UPDATE delivery_queues SET pause = 'away', paused_until = now() + interval '1 hour', pauses = 4, pace_per_minute = 3 WHERE id = $1",
      [id],
    )
    expect((await act(id, "try")).json).toMatchObject({ state: "trying", pause: "away" })
    expect((await act(id, "resume")).json).toMatchObject({ state: "flowing" })
    const { rows } = await pool().query("SELECT pauses, pace_per_minute, revision FROM delivery_queues WHERE id = $1", [
      id,
    ])
    expect(rows).toEqual([{ pauses: 0, pace_per_minute: null, revision: 3 }])
    const audit = await pool().query(
      "SELECT action FROM audit_entries WHERE organization_id = $1 AND action LIKE 'destination.%' ORDER BY id",
      [operatorOrganization],
    )
    expect(audit.rows.map(({ action }) => action)).toEqual([
      "destination.paused",
      "destination.resumed",
      "destination.tried",
      "destination.resumed",
    ])
  })

  test("is told that what is not paused cannot be tried", async () => {
    const id = await add("try.example", {})
    expectProblem(await act(id, "try"), 409, "destination.not_paused")
  })

  test("sets limits in place of the usual ones, and takes them back", async () => {
    const id = await add("limits.example", {})
    const set = (body: object) =>
      api("PATCH /v1/operator/destinations/{destinationId}", {
        cookie,
        params: { destinationId: String(id) },
        body,
      })
    expect((await set({ connections: 2 })).json.limits).toEqual({ connections: 2 })
    expect((await set({ mailsPerConnection: 9 })).json.limits).toEqual({ connections: 2, mailsPerConnection: 9 })
    expectProblem(await set({ connections: 0 }), 400, "request.invalid")
    expect((await set({ connections: null, mailsPerConnection: null })).json.limits).toBeUndefined()
  })

  test.each(["999999999", "x", "-1", "1e3", "9".repeat(40)])("finds no destination %s", async (destinationId) => {
    const params = { destinationId }
    expectProblem(
      await api("GET /v1/operator/destinations/{destinationId}", { cookie, params }),
      404,
      "destination.not_found",
    )
  })
})

test("nobody but an operator sees or changes a destination: to everybody else nothing lives there", async () => {
  const id = await add("secret.example", {})
  const world = await newWorld()
  const session = await newSession(world.userId)
  const params = { destinationId: String(id) }
  const answers = [
    await api("GET /v1/operator/destinations", { cookie: session }),
    await api("GET /v1/operator/destinations/{destinationId}", { cookie: session, params }),
    await api("PATCH /v1/operator/destinations/{destinationId}", { cookie: session, params, body: { connections: 1 } }),
    await api("POST /v1/operator/destinations/{destinationId}/actions", {
      cookie: session,
      params,
      body: { action: "pause" },
    }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
})

test("a project sees where its own email waits, and nothing of another's, of limits or replies", async () => {
  const id = await add("waits.example", {
    pause: "slow",
    paused_until: "2999-01-01T00:00:00Z",
    reply: "421 4.7.0 secret",
  })
  await add("others.example", { pause: "away", paused_until: "2999-01-01T00:00:00Z" })
  const [one, other] = [await newSending(), await newSending()]
  await wait(one, id, ["ada", "bob"])
  await wait(other, id, ["cy"])
  const listed = await api("GET /v1/projects/{projectId}/waiting-destinations", {
    key: one.apiKey,
    params: { projectId: one.project },
  })
  expect(listed.json.data).toEqual([
    {
      ...{ region: "eu-west-1", name: "waits.example", state: "paused", pause: "slow", waiting: 2 },
      ...{ pausedUntil: "2999-01-01T00:00:00.000Z", oldestAt: expect.any(String) },
    },
  ])
})

type Shown = { name: string; state: string; waiting: number }

async function add(host: string, columns: Record<string, unknown>): Promise<number> {
  const made = await pool().query("INSERT INTO destinations (key, hosts) VALUES ($1, ARRAY[$1]) RETURNING id", [host])
  const given = { region: "eu-west-1", kind: "destination", destination_id: made.rows[0].id, ...columns }
  const names = Object.keys(given)
  const { rows } = await pool().query(
    `INSERT INTO delivery_queues (${names.join(", ")}) VALUES (${names.map((_, at) => `$${at + 1}`).join(", ")}) RETURNING id`,
    Object.values(given),
  )
  return rows[0].id
}

/** Email of a project that waits in the queue. */
async function wait(sending: Sending, queue: number, names: string[], reply: string | null = null) {
  for (const name of names) await sendMail(sending, { to: [`${name}@lovelace.example`] })
  await pool().query(
    "UPDATE deliveries SET queue_id = $2, due_at = now() - interval '1 second', diagnostic = $3 WHERE project_id = $1",
    [sending.projectId, queue, reply],
  )
}

const read = (id: number) =>
  api("GET /v1/operator/destinations/{destinationId}", { cookie, params: { destinationId: String(id) } })

const act = (id: number, action: string) =>
  api("POST /v1/operator/destinations/{destinationId}/actions", {
    cookie,
    params: { destinationId: String(id) },
    body: { action },
  })
