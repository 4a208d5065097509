import { setTimeout as wait } from "node:timers/promises"
import { beforeAll, beforeEach, describe, expect, test } from "vitest"
import { api, newWorld, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import type { Dns, DnsAnswer } from "@/lib/platform/dns/dns"
import { decodeId } from "@/lib/platform/ids"
import { openSecret } from "@/lib/webhooks/data"

let world: World
beforeAll(async () => {
  world = await newWorld()
  await pool().query("UPDATE projects SET max_webhooks = 100 WHERE id = $1", [world.projectId])
})
beforeEach(() =>
  pool()
    .query("DELETE FROM rate_windows")
    .then(() => {}),
)

const list = "/v1/projects/{projectId}/webhooks"
const one = `${list}/{endpointId}` as const
const body = { url: "https://hooks.example.com/a", events: ["email.delivered"] }
const create = (change: object = {}) => api(`POST ${list}`, { ...call(world), body: { ...body, ...change } })
const at = (endpointId: string) => ({ ...call(world), params: { projectId: world.project, endpointId } })
const call = ({ apiKey, project }: World) => ({ key: apiKey, params: { projectId: project }, io: { dns } })

/** What names resolve to; any other is not found out. */
const addresses: Record<string, string[]> = {
  "public.example.com": ["8.8.8.8", "2606:4700:4700::1111"],
  "127.0.0.1.nip.io": ["127.0.0.1"],
  "mixed.example.com": ["8.8.8.8", "::1"],
  "alias.example.com": ["10.0.0.7"],
}
const unknown = async (): Promise<DnsAnswer<never>> => ({ kind: "error", reason: "timeout", askedServers: [] })
const dns: Dns = {
  ...{ txt: unknown, mx: unknown, cname: unknown, ns: unknown },
  addresses: async (name) =>
    addresses[name] ? { kind: "found", values: addresses[name], askedServers: [] } : unknown(),
}
const stored = async (id: string) =>
  (await pool().query("SELECT * FROM webhooks WHERE id = $1", [decodeId("whk", id)])).rows[0]
const opened = (row: { id: string; secret: Buffer; former_secret: Buffer }, column: "secret" | "former_secret") =>
  openSecret(row[column], { id: row.id, projectId: world.projectId }).toString("base64")

describe("a webhook", () => {
  test("gets a name and a secret of its own, which is sealed and never shown again", async () => {
    const { json } = await create()
    expect(json).toMatchObject({ name: "hooks.example.com", enabled: true, ...body })
    expect(json.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const row = await stored(json.id)
    expect(`whsec_${opened(row, "secret")}`).toBe(json.secret)
    expect(row.secret.includes(Buffer.from(json.secret.slice(6), "base64"))).toBe(false)
    const { secret: _, ...rest } = json
    const shown = { ...rest, health: { attempted: 0, succeeded: 0, recovered: 0, failed: 0, retrying: 0 } }
    expect((await api(`GET ${one}`, at(json.id))).json).toEqual(shown)
    const listed = await api(`GET ${list}`, { key: world.apiKey, params: { projectId: world.project } })
    expect(listed.json.data[0]).toEqual(shown)
  })

  test("may name a host that has public addresses, or none yet", async () => {
    for (const host of ["public.example.com", "later.example.com"])
      expect((await create({ url: `https://${host}/x` })).status).toBe(201)
  })

  test("takes a secret of the caller, in either form", async () => {
    const given = "0123456789abcdefghijklmnop"
    const { json } = await create({ secret: given })
    expect(json.secret).toBe(`whsec_${Buffer.from(given).toString("base64")}`)
    expect((await create({ secret: json.secret })).json.secret).toBe(json.secret)
    for (const secret of ["short", "é".repeat(30), "a".repeat(65)]) {
      const refused = await create({ secret })
      expect({ status: refused.status, pointer: refused.json.errors[0].pointer }).toEqual({
        status: 400,
        pointer: "/secret",
      })
    }
  })

  test("changes only what is given; lists are replaced, and an empty one is none", async () => {
    const filters = [{ field: "data.to", operator: "exists" }]
    const { json } = await create({ filters, name: "Orders" })
    expect(json.filters).toEqual(filters)
    const renamed = await api(`PATCH ${one}`, {
      ...at(json.id),
      body: { name: "Bills", events: ["email.sent", "email.sent"] },
    })
    expect(renamed.json).toMatchObject({ name: "Bills", events: ["email.sent"], filters, url: body.url })
    expect(renamed.json.updatedAt > json.updatedAt).toBe(true)
    const cleared = await api(`PATCH ${one}`, { ...at(json.id), body: { filters: [] } })
    expect(cleared.json).not.toHaveProperty("filters")
    expect((await stored(json.id)).filters).toBeNull()
  })

  test("a replaced secret keeps the former one for 24 hours; the same one again changes nothing", async () => {
    const { json } = await create()
    const before = await stored(json.id)
    const same = await api(`PATCH ${one}`, { ...at(json.id), body: { secret: json.secret } })
    expect(same.json).not.toHaveProperty("formerSecretUntil")
    const rotated = await api(`POST ${one}/rotate-secret`, at(json.id))
    expect(rotated.status).toBe(200)
    expect(rotated.json.secret).not.toBe(json.secret)
    const after = await stored(json.id)
    expect(`whsec_${opened(after, "secret")}`).toBe(rotated.json.secret)
    expect(opened(after, "former_secret")).toBe(opened(before, "secret"))
    const hours = (new Date(rotated.json.formerSecretUntil).getTime() - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(23.9)
    expect(hours).toBeLessThan(24.1)
  })

  test("the overlap of a rotation ends at once when that is asked for, and again changes nothing", async () => {
    const { json } = await create()
    const { json: rotated } = await api(`POST ${one}/rotate-secret`, at(json.id))
    const updated = [rotated.updatedAt]
    for (let turn = 0; turn < 2; turn++) {
      await wait(5)
      const ended = await api(`PATCH ${one}`, { ...at(json.id), body: { formerSecretUntil: null } })
      expect(ended.status).toBe(200)
      expect(ended.json).not.toHaveProperty("formerSecretUntil")
      updated.push(ended.json.updatedAt)
    }
    expect(updated[1] > updated[0]).toBe(true)
    expect(updated[2]).toBe(updated[1])
    const after = await stored(json.id)
    expect(after.former_secret).toBeNull()
    expect(`whsec_${opened(after, "secret")}`).toBe(rotated.secret)
    const later = await api(`PATCH ${one}`, { ...at(json.id), body: { formerSecretUntil: rotated.formerSecretUntil } })
    expect({ status: later.status, pointer: later.json.errors[0].pointer }).toEqual({
      status: 400,
      pointer: "/formerSecretUntil",
    })
  })

  test("disabled it says why, and its waiting deliveries are cancelled; enabled again it forgets failures", async () => {
    const { json } = await create()
    const id = decodeId("whk", json.id)
    await pool().query(
      `INSERT INTO webhook_deliveries (id, project_id, webhook_id, event_id, event_type, body, status, due_at)
        VALUES (gen_random_uuid(), $1, $2, gen_random_uuid(), 'email.sent', '{}', 'pending', now())`,
      [world.projectId, id],
    )
    await pool().query("UPDATE webhooks SET failing_since = now() WHERE id = $1", [id])
    const off = await api(`PATCH ${one}`, { ...at(json.id), body: { enabled: false } })
    expect(off.json).toMatchObject({ enabled: false, disabledReason: "paused" })
    const { rows } = await pool().query("SELECT status, due_at FROM webhook_deliveries WHERE webhook_id = $1", [id])
    expect(rows).toEqual([{ status: "cancelled", due_at: null }])
    const on = await api(`PATCH ${one}`, { ...at(json.id), body: { enabled: true } })
    expect(on.json).toMatchObject({ enabled: true })
    expect(on.json).not.toHaveProperty("disabledReason")
    expect(on.json).not.toHaveProperty("failingSince")
  })

  test("deleted it is gone at once with its secrets, and a secret cannot be moved to another row", async () => {
    const [kept, deleted] = [(await create()).json, (await create()).json]
    const foreign = await stored(deleted.id)
    expect((await api(`DELETE ${one}`, at(deleted.id))).status).toBe(204)
    for (const route of [`GET ${one}`, `DELETE ${one}`, `POST ${one}/rotate-secret`] as const)
      expect((await api(route, at(deleted.id))).json.code).toBe("webhook.not_found")
    expect((await api(`PATCH ${one}`, { ...at(deleted.id), body: {} })).status).toBe(404)
    expect((await stored(deleted.id)).secret).toHaveLength(0)
    const owner = { id: decodeId("whk", kept.id) ?? "", projectId: world.projectId }
    expect(() => openSecret(foreign.secret, owner)).toThrow()
  })

  test("takes back its filters and transformations as it shows them with `Prefer: nulls=present`", async () => {
    const lists = {
      filters: [
        { field: "type", operator: "exists" },
        { field: "type", operator: "eq", value: "x" },
      ],
      transformations: [
        { type: "rename_field", from: "data.to", to: "data.recipient" },
        { type: "remove_field", field: "data.subject" },
        { type: "compute_field", field: "data.line", template: "{{type}}" },
        { type: "add_field", field: "data.source", value: "mailroom" },
        { type: "add_field", field: "data.nothing" },
      ],
    }
    const { status, json } = await create(lists)
    expect(status, "the status of the creation").toBe(201)
    const headers = { prefer: "nulls=present" }
    const shown = (await api(`GET ${one}`, { ...at(json.id), headers })).json
    expect(shown.transformations[1], "a transformation as it is shown").toEqual({
      ...{ type: "remove_field", field: "data.subject", from: null, to: null, template: null, value: null },
    })
    const { filters, transformations } = shown
    const changed = await api(`PATCH ${one}`, { ...at(json.id), body: { filters, transformations }, headers })
    expect({ status: changed.status, json: changed.json }, "the answer to the change").toMatchObject({
      status: 200,
      json: { filters, transformations },
    })
    const { json: plain } = await api(`GET ${one}`, at(json.id))
    expect({ filters: plain.filters, transformations: plain.transformations }, "without the nulls").toEqual(lists)
  })

  test.each([
    ["/url", { url: "https://127.0.0.1/x" }],
    ["/url", { url: "http://hooks.example.com/x" }],
    ["/url", { url: "https://localhost/x" }],
    ["/url", { url: "nonsense" }],
    ["/url", { url: "https://127.0.0.1.nip.io/x" }],
    ["/url", { url: "https://mixed.example.com/x" }],
    ["/url", { url: "https://alias.example.com/x" }],
    ["/events", { events: [] }],
    ["/events/0", { events: ["email.eaten"] }],
    ["/filters/0/value", { filters: [{ field: "type", operator: "eq" }] }],
    ["/filters/0/value", { filters: [{ field: "type", operator: "exists", value: "x" }] }],
    ["/filters/0/field", { filters: [{ field: "__proto__.x", operator: "exists" }] }],
    ["/filters/0/field", { filters: [{ field: "a..b", operator: "exists" }] }],
    ["/transformations/0/to", { transformations: [{ type: "rename_field", from: "a" }] }],
    ["/transformations/0/field", { transformations: [{ type: "add_field", value: "x" }] }],
    ["/transformations/0/value", { transformations: [{ type: "remove_field", field: "a", value: "x" }] }],
    ["/transformations/0/template", { transformations: [{ type: "remove_field", field: "a", template: "x" }] }],
    ["/transformations/0/field", { transformations: [{ type: "compute_field", template: "x" }] }],
  ])("is refused with the pointer %s for %j", async (pointer, change) => {
    const refused = await create(change)
    expect({
      status: refused.status,
      pointers: refused.json.errors?.map((error: { pointer: string }) => error.pointer),
    }).toEqual({ status: 400, pointers: [pointer] })
    const { json } = await create()
    const changed = await api(`PATCH ${one}`, { ...at(json.id), body: change })
    expect({ status: changed.status, pointer: changed.json.errors?.[0].pointer }).toEqual({ status: 400, pointer })
  })
})

test("parallel requests never pass the limit, which counts no deleted ones; what was done is in the audit log", async () => {
  const small = await newWorld()
  await pool().query("UPDATE projects SET max_webhooks = 3 WHERE id = $1", [small.projectId])
  const more = () => api(`POST ${list}`, { ...call(small), body })
  const answers = await Promise.all(Array.from({ length: 8 }, more))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
  expect(answers.find(({ status }) => status === 403)?.json).toMatchObject({ code: "project.limit_reached" })
  const id = answers.find(({ status }) => status === 201)?.json.id
  await api(`DELETE ${one}`, { key: small.apiKey, params: { projectId: small.project, endpointId: id } })
  const { json } = await more()
  await api(`PATCH ${one}`, {
    key: small.apiKey,
    params: { projectId: small.project, endpointId: json.id },
    body: { secret: "a secret that nobody logs" },
  })
  const { rows } = await pool().query("SELECT action, changes FROM audit_entries WHERE project_id = $1 ORDER BY id", [
    small.projectId,
  ])
  expect(rows.map(({ action }) => action).filter((action) => action !== "webhook.created")).toEqual([
    "webhook.deleted",
    "webhook.updated",
  ])
  expect(rows.at(-1)).toEqual({
    action: "webhook.updated",
    changes: { secret: "replaced", targetName: "hooks.example.com" },
  })
})
