import { beforeAll, expect, test } from "vitest"
import { addContacts } from "@/e2e/support/segments/audience"
import { api, newWorld, type World } from "@/e2e/support/world"
import { removeValues } from "@/lib/contacts/data"
import { pool } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const all = "/v1/projects/{projectId}/contact-properties" as const
const one = `${all}/{propertyId}` as const
const params = (more: Record<string, string> = {}) => ({ projectId: world.project, ...more })
const create = (body: unknown) => api(`POST ${all}`, { key: world.apiKey, params: params(), body })
const pointers = (answer: { json: { errors: { pointer: string }[] } }) =>
  answer.json.errors.map(({ pointer }) => pointer)

test("a property is read back as it was defined, and only its fallback changes", async () => {
  const created = await create({ key: "plan", type: "string", fallbackValue: "free" })
  expect(created.status).toBe(201)
  expect(created.headers.get("location")).toBe(`/v1/projects/${world.project}/contact-properties/${created.json.id}`)
  const { id } = created.json
  const patch = (body: unknown) => api(`PATCH ${one}`, { key: world.apiKey, params: params({ propertyId: id }), body })
  expect((await patch({})).json.fallbackValue).toBe("free")
  expect((await patch({ fallbackValue: "pro" })).json.fallbackValue).toBe("pro")
  expect((await patch({ fallbackValue: null })).json).not.toHaveProperty("fallbackValue")
  expect(pointers(await patch({ key: "other", type: "number" }))).toEqual(["/key", "/type"])
  const found = await api(`GET ${one}`, { key: world.apiKey, params: params({ propertyId: id }) })
  expect(found.json).toMatchObject({
    key: "plan",
    type: "string",
    object: "contact_property",
    projectId: world.project,
  })
})

test("a key is unique in a project, and a problem points at the fault of every bad definition", async () => {
  expect((await create({ key: "visits", type: "number" })).status).toBe(201)
  expect((await create({ key: "visits", type: "string" })).json.code).toBe("property.already_exists")
  expect(pointers(await create({ key: "a b", type: "string" }))).toEqual(["/key"])
  expect(pointers(await create({ key: "__proto__", type: "string" }))).toEqual(["/key"])
  expect(pointers(await create({ key: "x".repeat(51), type: "list" }))).toEqual(["/key", "/type"])
  expect(pointers(await create({ key: "n", type: "number", fallbackValue: "many" }))).toEqual(["/fallbackValue"])
  expect(pointers(await create({ key: "n", type: "boolean", fallbackValue: "yes" }))).toEqual(["/fallbackValue"])
  expect(pointers(await create({ key: "n", type: "date", fallbackValue: "2026-02-30" }))).toEqual(["/fallbackValue"])
  const answers = await Promise.all(Array.from({ length: 10 }, () => create({ key: "raced", type: "string" })))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)])
})

test("the list is newest first and counts what is there", async () => {
  const { json } = await api(`GET ${all}`, { key: world.apiKey, params: params(), query: { size: 2 } })
  expect(json.data.map(({ key }: { key: string }) => key)).toEqual(["raced", "visits"])
  expect(json.page).toMatchObject({ total: 3, totalPages: 2, hasNextPage: true })
})

test("a deleted property takes the values of contacts with it, a new one of its key begins empty", async () => {
  const created = await create({ key: "colour", type: "string" })
  const rows = Array.from({ length: 5 }, (_, at) => [newId(), `c${at}@example.com`] as const)
  for (const [id, email] of rows) {
    await pool().query("INSERT INTO contacts (id, project_id, email, properties) VALUES ($1, $2, $3, $4)", [
      id,
      world.projectId,
      email,
      { colour: "red", plan: "pro" },
    ])
  }
  const path = params({ propertyId: created.json.id })
  expect((await api(`DELETE ${one}`, { key: world.apiKey, params: path })).status).toBe(204)
  const { rows: left } = await pool().query("SELECT DISTINCT properties FROM contacts WHERE project_id = $1", [
    world.projectId,
  ])
  expect(left).toEqual([{ properties: { plan: "pro" } }])
  for (const method of ["GET", "DELETE"] as const) {
    expect((await api(`${method} ${one}`, { key: world.apiKey, params: path })).json.code).toBe("property.not_found")
  }
  expect((await create({ key: "colour", type: "number" })).status).toBe(201)
})

test("however short a call may work, the next one continues where it ended", async () => {
  await create({ key: "long", type: "string" })
  await pool().query(
    `INSERT INTO contacts (id, project_id, email, properties)
      SELECT gen_random_uuid(), $1, 'long' || n || '@example.com', '{"long":"x"}' FROM generate_series(1, 4100) AS n`,
    [world.projectId],
  )
  await pool().query("UPDATE contact_properties SET deleted_at = now() WHERE key = 'long'")
  let calls = 1
  while (calls < 10 && (await removeValues(0))) calls += 1
  expect(calls).toBeLessThanOrEqual(4)
  const { rows } = await pool().query("SELECT count(*)::int AS n FROM contacts WHERE properties ? 'long'")
  expect(rows[0].n).toBe(0)
  expect((await pool().query("SELECT 1 FROM contact_properties WHERE key = 'long'")).rowCount).toBe(0)
})

test("values of very many contacts are removed in steps, and nobody sees or takes the key meanwhile", async () => {
  const created = await create({ key: "slow", type: "string" })
  // More than a step of 2,000 contacts takes; one statement for all of them is slow where other tests take the machine.
  await pool().query(
    `UPDATE contacts SET properties = properties || '{"slow":"x"}'
      WHERE id IN (SELECT id FROM contacts WHERE project_id = $1 LIMIT 2500)`,
    [world.projectId],
  )
  await pool().query("UPDATE contact_properties SET deleted_at = now() WHERE key = 'slow'")
  expect(await removeValues(0)).toBe(true)
  expect((await create({ key: "slow", type: "string" })).json.code).toBe("property.already_exists")
  expect((await api(`GET ${one}`, { key: world.apiKey, params: params({ propertyId: created.json.id }) })).status).toBe(
    404,
  )
  let calls = 1
  while (calls < 20 && (await removeValues(1_000))) calls += 1
  expect(calls, "calls until nothing was left").toBeLessThan(20)
  const { rows } = await pool().query("SELECT count(*)::int AS n FROM contacts WHERE properties ? 'slow'")
  expect(rows[0].n).toBe(0)
  expect((await create({ key: "slow", type: "string" })).status).toBe(201)
})

test("a contact and a segment take a date and yes or no by the type of the property", async () => {
  for (const [key, type] of [
    ["joined", "date"],
    ["member", "boolean"],
  ])
    expect((await create({ key, type })).json).toMatchObject({ key, type })
  const contact = (properties: Record<string, string>) =>
    api("POST /v1/projects/{projectId}/contacts", {
      key: world.apiKey,
      params: params(),
      body: { email: "typed@example.com", properties },
    })
  expect(pointers(await contact({ joined: "31.03.2026", member: "ja" }))).toEqual([
    "/properties/joined",
    "/properties/member",
  ])
  expect((await contact({ joined: "2026-03-31", member: "true" })).json.properties).toMatchObject({
    joined: "2026-03-31",
    member: "true",
  })
  const count = async (condition: object) => {
    const body = { filter: { all: [{ field: "property", ...condition }] } }
    const { status, json } = await api("POST /v1/projects/{projectId}/segments/preview", {
      key: world.apiKey,
      params: params(),
      body,
    })
    return status === 200 ? json.count : json.errors[0].pointer
  }
  expect(await count({ key: "joined", operator: "before", value: "2026-04-01" })).toBe(1)
  expect(await count({ key: "joined", operator: "after", value: "2026-03-31" })).toBe(0)
  expect(await count({ key: "member", operator: "equals", value: true })).toBe(1)
  expect(await count({ key: "member", operator: "equals", value: "true" })).toBe("/filter/all/0/value")
  expect(await count({ key: "joined", operator: "equals", value: "2026" })).toBe("/filter/all/0/value")
  expect(await count({ key: "joined", operator: "before", value: "2026-02-30" })).toBe("/filter/all/0/value")
  expect(await count({ key: "member", operator: "within_days", days: 3 })).toBe("/filter/all/0/operator")
})

test("the frequent values of a property are suggested, those of the project's newest contacts alone", async () => {
  const own = await newWorld()
  const { id } = (
    await api(`POST ${all}`, {
      key: own.apiKey,
      params: { projectId: own.project },
      body: { key: "city", type: "string" },
    })
  ).json
  const values = (of: World = own) =>
    api(`GET ${one}/values`, { key: of.apiKey, params: { projectId: of.project, propertyId: id } })
  expect((await values()).json).toEqual({ contacts: 0, data: [] })
  const cities = [
    "Leipzig",
    "Oslo",
    "Leipzig",
    "x".repeat(101),
    "",
    ...Array.from({ length: 30 }, (_, n) => `Town ${n}`),
  ]
  await addContacts(
    own,
    cities.map((city, n) => ({ email: `c${n}@x.example`, properties: { city, plan: "pro" } })),
  )
  const { json } = await values()
  expect(json.contacts).toBe(cities.length)
  expect(json.data).toHaveLength(20)
  expect(json.data.slice(0, 3)).toEqual([
    { value: "Leipzig", contacts: 2 },
    { value: "Oslo", contacts: 1 },
    { value: "Town 0", contacts: 1 },
  ])
  expect((await values(world)).json.code).toBe("property.not_found")
})

test("of a property named as what every object has, only stored values are suggested", async () => {
  const own = await newWorld()
  const call = { key: own.apiKey, params: { projectId: own.project } }
  const { id } = (await api(`POST ${all}`, { ...call, body: { key: "constructor", type: "string" } })).json
  await addContacts(own, [
    { email: "ada@x.example", properties: {} },
    { email: "bob@x.example", properties: { constructor: "Mercury" } as unknown as Record<string, string> },
  ])
  const { json } = await api(`GET ${one}/values`, { ...call, params: { ...call.params, propertyId: id } })
  expect(json).toEqual({ contacts: 2, data: [{ value: "Mercury", contacts: 1 }] })
})
