import { beforeEach, describe, expect, test } from "vitest"
import { api, newWorld, type World } from "@/e2e/support/world"
import { contacts, createImporting, type Importing } from "@/e2e/support/contacts/importing"
import { propertiesBytesMax } from "@/lib/contacts/rules"
import { pool } from "@/lib/platform/database/db"

const keys = ["a", "b", "c", "d", "e", "f", "g"]
const email = "ada@lovelace.example"
/** Five of these fit, six do not. */
const long = "x".repeat(9_900)
const values = (...given: string[]) => Object.fromEntries(given.map((key) => [key, long]))

let world: World
let importing: Importing

beforeEach(async () => {
  world = await newWorld()
  importing = createImporting(world)
  for (const key of keys) await importing.post("/v1/projects/{projectId}/contact-properties", { key, type: "string" })
})

async function keptKeys(of = email): Promise<string[]> {
  const { rows } = await pool().query("SELECT properties FROM contacts WHERE project_id = $1 AND email = $2", [
    world.projectId,
    of,
  ])
  const { properties } = rows[0]
  expect(Buffer.byteLength(JSON.stringify(properties))).toBeLessThanOrEqual(propertiesBytesMax)
  return Object.keys(properties)
}

test("what an upsert merges is at most 50 KB with what is there, or nothing of it is written", async () => {
  await importing.post(contacts, { email, firstName: "Ada", properties: values("a", "b", "c") })
  const upsert = (body: object) => api(`PUT ${contacts}`, { ...importing.at(), body: { email, ...body } })
  const over = await upsert({ firstName: "X", properties: values("d", "e", "f") })
  expect({ status: over.status, code: over.json.code, errors: over.json.errors }).toEqual({
    status: 400,
    code: "request.invalid",
    errors: [{ pointer: "/properties", detail: expect.stringContaining("51200 bytes") }],
  })
  expect({ firstName: (await importing.contact(email)).firstName, keptKeys: await keptKeys() }).toEqual({
    firstName: "Ada",
    keptKeys: ["a", "b", "c"],
  })

  expect((await upsert({ properties: { ...values("d", "e"), a: "short" } })).status).toBe(200)
  expect((await upsert({ properties: { f: long } })).status).toBe(200)
  expect((await upsert({ properties: { g: long } })).status).toBe(400)
  expect((await upsert({ firstName: "Augusta" })).json.firstName).toBe("Augusta")
})

test("a change replaces the properties, so that its own size is what counts", async () => {
  const { json } = await importing.post(contacts, { email, properties: values("a", "b", "c", "d", "e") })
  const change = (properties: object) =>
    api(`PATCH ${contacts}/{contactId}`, {
      ...importing.at(),
      params: { projectId: world.project, contactId: json.id },
      body: { properties },
    })
  expect((await change(values("b", "c", "d", "e", "f"))).status).toBe(200)
  const over = await change(values("a", "b", "c", "d", "e", "f"))
  expect({ status: over.status, pointer: over.json.errors[0].pointer, keptKeys: await keptKeys() }).toEqual({
    status: 400,
    pointer: "/properties",
    keptKeys: ["b", "c", "d", "e", "f"],
  })
})

describe("an import", () => {
  const line = (of: string, ...given: string[]) =>
    `${of},${keys.map((key) => (given.includes(key) ? long : "")).join(",")}\n`
  const csv = `email,${keys.join(",")}\n${line(email, "d")}${line(email, "e", "f")}${line("new@x.example", "a", "b", "c")}${line("new@x.example", "d", "e", "f")}${line(email, "e")}`

  test.each(["false", "true"])(
    "refuses the rows, and those alone, that would take a contact over 50 KB (dry run: %s)",
    async (dryRun) => {
      await importing.post(contacts, { email, properties: values("a", "b", "c") })
      const done = await importing.bring(csv, { dryRun })
      expect(done).toMatchObject({ status: "completed", processed: 5, created: 1, updated: 2, skipped: 0, failed: 2 })
      const why = [expect.stringContaining("with those that the contact has")]
      expect(await importing.refusals(done.id)).toEqual([
        [3, why],
        [5, why],
      ])
      if (dryRun === "true") return expect(await keptKeys()).toEqual(["a", "b", "c"])
      expect(await keptKeys()).toEqual(["a", "b", "c", "d", "e"])
      expect(await keptKeys("new@x.example")).toEqual(["a", "b", "c"])
    },
  )

  test("sees what others add to a contact while it waits for them", async () => {
    const client = await pool().connect()
    try {
      await client.query("BEGIN")
      await client.query(
        "INSERT INTO contacts (id, project_id, email, properties) VALUES (gen_random_uuid(), $1, $2, $3)",
        [world.projectId, email, values("a", "b", "c")],
      )
      const bringing = importing.bring(csv)
      await expect.poll(waiting, { interval: 20, timeout: 15_000 }).toBe(1)
      await client.query("COMMIT")
      expect(await bringing).toMatchObject({ processed: 5, created: 1, updated: 2, failed: 2 })
    } finally {
      client.release()
    }
    expect(await keptKeys()).toEqual(["a", "b", "c", "d", "e"])
  })

  async function waiting(): Promise<number> {
    const { rows } = await pool().query(
      "SELECT count(*)::int AS waiting FROM pg_locks WHERE NOT granted AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())",
    )
    return rows[0].waiting
  }
})
