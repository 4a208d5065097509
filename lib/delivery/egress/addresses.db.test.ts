import { beforeAll, expect, test } from "vitest"
import { expectProblem } from "@/e2e/support/expect-problem"
import { api, newSession, newWorld, type World } from "@/e2e/support/world"
import { countNews } from "@/lib/delivery/egress/data"
import { utcDate } from "@/lib/delivery/egress/rules"
import { pool } from "@/lib/platform/database/db"
import { decodeId, newId } from "@/lib/platform/ids"

let world: World
let cookie: string
const today = utcDate(new Date())

beforeAll(async () => {
  world = await newWorld()
  await pool().query("UPDATE users SET operator_since = now() WHERE id = $1", [world.userId])
  cookie = await newSession(world.userId)
})

test("to everybody but operators nothing lives there", async () => {
  const stranger = await newWorld()
  const added = await addAddress()
  for (const route of ["GET /v1/operator/egress-addresses", "GET /v1/operator/project-pools"] as const) {
    expectProblem(await api(route, { cookie: await newSession(stranger.userId) }), 404, "request.not_found")
    expectProblem(await api(route, { key: world.apiKey }), 404, "request.not_found")
  }
  const params = { addressId: added.id }
  const paused = { cookie: await newSession(stranger.userId), params, body: { paused: true } }
  expectProblem(await api("PATCH /v1/operator/egress-addresses/{addressId}", paused), 404, "request.not_found")
  expect(await shown(added.id)).not.toHaveProperty("pausedAt")
})

test("an address is added once in a region, in its one spelling, and shown without a cap", async () => {
  const address = `2001:db8::${newId().slice(-4)}`
  const body = {
    region: "af-south-1",
    address: address.toUpperCase().replace("::", ":0:0:0:0:0:"),
    ehloName: "Out.Mail.Example",
  }
  const { status, json } = await api("POST /v1/operator/egress-addresses", { cookie, body })
  const own = { region: "af-south-1", pool: "default", address: new URL(`http://[${address}]`).hostname.slice(1, -1) }
  const never = { onBlock: "wait", blocks: [] }
  const nothing = { sent: 0, deferred: 0, bounced: 0, complained: 0 }
  expect({ status, json }).toEqual({
    status: 201,
    json: {
      ...{ id: json.id, createdAt: json.createdAt, ...own, ehloName: "out.mail.example", ...never },
      today: { ...nothing, providers: [] },
    },
  })
  expectProblem(await api("POST /v1/operator/egress-addresses", { cookie, body }), 409, "egress_address.already_exists")
})

test("an address is paused and resumed, moved to a pool, and removed; each is in the operator's audit log", async () => {
  const { id } = await addAddress()
  expect(await change(id, { paused: true })).toHaveProperty("pausedAt")
  expect(await change(id, { paused: false, pool: "news" })).not.toHaveProperty("pausedAt")
  expect(await shown(id)).toMatchObject({ pool: "news" })
  const params = { addressId: id }
  expect((await api("DELETE /v1/operator/egress-addresses/{addressId}", { cookie, params })).status).toBe(204)
  expectProblem(
    await api("DELETE /v1/operator/egress-addresses/{addressId}", { cookie, params }),
    404,
    "egress_address.not_found",
  )
  const { rows } = await pool().query(
    "SELECT action, changes FROM audit_entries WHERE organization_id = $1 AND target = $2 ORDER BY id",
    [world.organizationId, id],
  )
  expect(rows.map(({ action }) => action)).toEqual([
    "egress_address.added",
    "egress_address.changed",
    "egress_address.changed",
    "egress_address.removed",
  ])
  expect(rows[2]?.changes).toMatchObject({ paused: false, pool: "news" })
})

test("a warm-up begins today or later, is shown with its cap and whether the day counts so far, and ends", async () => {
  const { id } = await addAddress({ warmUpOn: today })
  expect(await shown(id)).toMatchObject({
    warmUp: { day: 1, days: 12, cap: 200, counts: false, waiting: 0, isTooMuch: false },
  })
  await pool().query(
    "INSERT INTO egress_days (address_id, day, provider, sent) VALUES ($1, $2, 'Google', 60), ($1, $2, '', 40)",
    [decodeId("egr", id), today],
  )
  expect(await shown(id)).toMatchObject({
    warmUp: { day: 1, counts: true },
    today: {
      sent: 100,
      providers: [
        { name: "Google", sent: 60 },
        { name: "", sent: 40 },
      ],
    },
  })
  const place = { addressId: decodeId("egr", id) ?? "", date: today, provider: "Google", what: "bounced" } as const
  await countNews([place, place])
  expect(await shown(id)).toMatchObject({ warmUp: { counts: false }, today: { bounced: 2 } })
  expect(await change(id, { warmUpOn: "2999-01-01" })).toMatchObject({ warmUp: { cap: 0, startsOn: "2999-01-01" } })
  expect(await change(id, { warmUpOn: null })).not.toHaveProperty("warmUp")
  const params = { addressId: id }
  const past = { cookie, params, body: { warmUpOn: "2020-01-01" } }
  expectProblem(
    await api("PATCH /v1/operator/egress-addresses/{addressId}", past),
    422,
    "egress_address.warm_up_invalid",
  )
})

test("a project has the pool that the operator sets, whose project that ever is", async () => {
  const other = await newWorld()
  const body = { projectId: other.project, pool: "news" }
  const { status, json } = await api("PUT /v1/operator/project-pools", { cookie, body })
  expect({ status, json }).toMatchObject({ status: 200, json: body })
  expect(await pools()).toContainEqual(json)
  await api("PUT /v1/operator/project-pools", { cookie, body: { ...body, pool: "default" } })
  expect(await pools()).not.toContainEqual(expect.objectContaining({ projectId: other.project }))
})

async function pools(): Promise<unknown[]> {
  return (await api("GET /v1/operator/project-pools", { cookie })).json.data
}

async function addAddress(given: object = {}) {
  const address = `2001:db8:1::${newId().slice(-4)}`
  const body = { region: "af-south-1", address, ehloName: "out.mail.example", ...given }
  const { status, json } = await api("POST /v1/operator/egress-addresses", { cookie, body })
  expect(status).toBe(201)
  return json
}

async function change(addressId: string, body: object) {
  const params = { addressId }
  const { status, json } = await api("PATCH /v1/operator/egress-addresses/{addressId}", { cookie, params, body })
  expect(status).toBe(200)
  return json
}

async function shown(id: string) {
  const { json } = await api("GET /v1/operator/egress-addresses", { cookie })
  return json.data.find((one: { id: string }) => one.id === id)
}
