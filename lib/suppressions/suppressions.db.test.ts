import { expectProblem } from "@/e2e/support/expect-problem"
import { beforeAll, describe, expect, test } from "vitest"
import { api, newWorld, type Call, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { encodeId, newId } from "@/lib/platform/ids"
import { suppress } from "@/lib/consent/data"

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const at = (of: World, call: Call = {}): Call => ({
  key: of.apiKey,
  ...call,
  params: { projectId: of.project, ...call.params },
})
const list = (of: World, query: Call["query"] = {}) =>
  api("GET /v1/projects/{projectId}/suppressions", at(of, { query }))
const add = (of: World, email: string) => api("POST /v1/projects/{projectId}/suppressions", at(of, { body: { email } }))
const remove = (of: World, email: string) =>
  api("DELETE /v1/projects/{projectId}/suppressions/{email}", at(of, { params: { email } }))
const importRows = (of: World, body: unknown) =>
  api("POST /v1/projects/{projectId}/suppressions/import", at(of, { body }))

async function addContact(of: World, email: string, unsubscribed = false): Promise<string> {
  const id = newId()
  await pool().query("INSERT INTO contacts (id, project_id, email, unsubscribed) VALUES ($1, $2, $3, $4)", [
    id,
    of.projectId,
    email,
    unsubscribed,
  ])
  return id
}

async function reasonsOf(of: World): Promise<string[]> {
  return (await list(of)).json.data.map(({ reason }: { reason: string }) => reason)
}

async function isUnsubscribed(id: string): Promise<boolean> {
  const { rows } = await pool().query("SELECT unsubscribed FROM contacts WHERE id = $1", [id])
  return rows[0].unsubscribed
}

async function audited(of: World): Promise<unknown[]> {
  const { rows } = await pool().query(
    "SELECT action, target, changes FROM audit_entries WHERE project_id = $1 ORDER BY id",
    [of.projectId],
  )
  return rows
}

describe("one address", () => {
  test("is stored once in canonical form with the reason manual, and a second request answers it unchanged", async () => {
    const own = await newWorld()
    const first = await add(own, "Ada@Lovelace.Example")
    expect({ status: first.status, json: first.json }).toEqual({
      status: 201,
      json: expect.objectContaining({ email: "ada@lovelace.example", reason: "manual", projectId: own.project }),
    })
    expect(first.headers.get("location")).toBe(`/v1/projects/${own.project}/suppressions/ada%40lovelace.example`)
    const again = await add(own, " ada@LOVELACE.example ")
    expect({ status: again.status, id: again.json.id }).toEqual({ status: 201, id: first.json.id })
    expect((await list(own)).json.page.total).toBe(1)
    expect(await audited(own)).toEqual([
      { action: "suppressions.add", target: "ada@lovelace.example", changes: { reason: "manual" } },
    ])
  })

  test.each(["", "nobody", "a@b", "Ada <ada@x.example>", "a@x.example, b@x.example", "a\r\nb@x.example"])(
    "%j is 400 with its pointer",
    async (email) => {
      const { status, json } = await add(world, email)
      expect({ status, pointer: json.errors[0].pointer }).toEqual({ status: 400, pointer: "/email" })
    },
  )

  test("is removed by its URL-encoded form in any case, and is 404 once it is gone or was never there", async () => {
    await add(world, "a+b%c@x.example")
    await add(world, "o'neil/x@x.example")
    for (const email of ["A+b%c@X.example", "o'neil/x@x.example"]) {
      expect({ status: (await remove(world, email)).status, code: (await remove(world, email)).json.code }).toEqual({
        status: 204,
        code: "suppression.not_found",
      })
    }
    expect((await remove(world, "nobody")).json.code).toBe("suppression.not_found")
  })

  test("of another project is neither seen nor removed", async () => {
    const other = await newWorld()
    await add(other, "theirs@x.example")
    expect((await remove(world, "theirs@x.example")).status).toBe(404)
    expect((await list(world, { search: "theirs" })).json.data).toEqual([])
    expect((await list(other)).json.page.total).toBe(1)
  })

  test("20 adds and removes at once leave it there once or not at all", async () => {
    await Promise.all(Array.from({ length: 20 }, (_, at) => (at % 2 ? add : remove)(world, "race@x.example")))
    const { rows } = await pool().query(
      "SELECT count(*)::int AS n FROM suppressions WHERE project_id = $1 AND email = 'race@x.example'",
      [world.projectId],
    )
    expect(rows[0].n).toBeLessThanOrEqual(1)
  })
})

describe("the list", () => {
  test("comes newest first, with reason, evidence and what led to it, and is filtered by reason and part of the address", async () => {
    const own = await newWorld()
    const [emailId, eventId] = [newId(), newId()]
    await suppress(own.projectId, {
      email: "gone@x.example",
      reason: "bounce",
      emailId,
      eventId,
      evidence: "550 5.1.1 No such user",
    })
    const contact = await addContact(own, "later@x.example")
    await add(own, "later@x.example")
    const { json } = await list(own)
    expect(json.data.map(({ email }: { email: string }) => email)).toEqual(["later@x.example", "gone@x.example"])
    expect(json.data[1]).toMatchObject({
      reason: "bounce",
      evidence: "550 5.1.1 No such user",
      emailId: expect.stringMatching(/^email_/),
      eventId: expect.stringMatching(/^evt_/),
    })
    expect(json.data[0].contactId).toMatch(/^con_/)
    expect(json.data[1]).not.toHaveProperty("contactId")
    await pool().query("DELETE FROM contacts WHERE id = $1", [contact])
    expect((await list(own, { search: "LATER" })).json.data).toEqual([
      expect.not.objectContaining({ contactId: expect.anything() }),
    ])
    expect((await list(own, { reason: "bounce" })).json.page.total).toBe(1)
    expect((await list(own, { reason: "nonsense" })).status).toBe(400)
  })

  test("with a filter goes on beyond its total of 10,000 until no suppression is left", async () => {
    const own = await newWorld()
    await pool().query(
      `INSERT INTO suppressions (id, project_id, email, reason)
        SELECT gen_random_uuid(), $1, 'b' || n || '@x.example', 'bounce' FROM generate_series(1, 10150) n`,
      [own.projectId],
    )
    const read = async (page: string) => {
      const { json } = await list(own, { reason: "bounce", size: "100", page })
      return { rows: json.data.length, total: json.page.total, hasNextPage: json.page.hasNextPage }
    }
    expect(await read("100")).toEqual({ rows: 100, total: 10_000, hasNextPage: true })
    expect(await read("101")).toEqual({ rows: 100, total: 10_000, hasNextPage: true })
    expect(await read("102")).toEqual({ rows: 50, total: 10_000, hasNextPage: false })
  })

  test("is asked for one address, which is found whatever others hold its text", async () => {
    const own = await newWorld()
    await suppress(own.projectId, { email: "a@x.example", reason: "bounce" })
    for (let at = 0; at < 3; at++) await suppress(own.projectId, { email: `m${at}a@x.example`, reason: "manual" })
    const { data, page } = (await list(own, { email: "A@X.example", size: "1" })).json
    expect({ data: data.map(({ email }: { email: string }) => email), total: page.total }).toEqual({
      data: ["a@x.example"],
      total: 1,
    })
    expect((await list(own, { email: "x.example" })).json.data).toEqual([])
    expect((await list(own, { email: "none@x.example" })).json.data).toEqual([])
    for (const search of ["m%a@", "m_a@", "m\\0a@"]) expect((await list(own, { search })).json.data).toEqual([])
  })

  test("is exported whole, newest first, bare header, quoted cells, and no cell is a formula", async () => {
    const own = await newWorld()
    await importRows(own, { suppressions: Array.from({ length: 2_500 }, (_, n) => ({ email: `p${n}@x.example` })) })
    await add(own, "=1+1@x.example")
    const { response, headers } = await api("GET /v1/projects/{projectId}/suppressions/export", at(own))
    const lines = (await response.text()).split("\r\n")
    expect(headers.get("content-disposition")).toBe(`attachment; filename="suppressions-${own.project}.csv"`)
    expect(lines[0]).toBe("email,reason,created_at")
    expect(lines).toHaveLength(2_503)
    expect(lines.at(-1)).toBe("")
    expect(lines[1]).toMatch(/^"'=1\+1@x\.example","manual","\d{4}-\d\d-\d\dT[\d:.]{12}Z"$/)
    expect(new Set(lines).size).toBe(2_503)
  })
})

describe("an import", () => {
  const suppressions = [
    { email: "Ada@x.example", reason: "complaint" },
    { email: "ada@X.example" },
    { email: "no address" },
    { email: "known@x.example", reason: "bounce" },
    { email: "new@x.example" },
    { email: "odd@x.example", reason: "mood" },
    { email: "odd@x.example", surprise: 1 },
    5,
  ]

  test("counts what it added and what it skipped, reports each bad row, and a dry run says the same and changes nothing", async () => {
    const own = await newWorld()
    await add(own, "known@x.example")
    const expected = { imported: 2, skipped: 6, invalid: 4 }
    const dry = await importRows(own, { suppressions, dryRun: true })
    expect({ status: dry.status, json: dry.json }).toEqual({
      status: 200,
      json: expect.objectContaining({ ...expected, dryRun: true }),
    })
    expect(dry.json.errors.map(({ row }: { row: number }) => row)).toEqual([2, 5, 6, 7])
    expect((await list(own)).json.page.total).toBe(1)
    const { json } = await importRows(own, { suppressions })
    expect(json).toMatchObject({ ...expected, dryRun: false, errors: dry.json.errors })
    const { data } = (await list(own)).json
    expect(data.map(({ email, reason }: Record<string, string>) => `${email} ${reason}`).sort()).toEqual([
      "ada@x.example complaint",
      "known@x.example manual",
      "new@x.example manual",
    ])
    expect((await importRows(own, { suppressions })).json).toMatchObject({ imported: 0, skipped: 8 })
  })

  test("skips a row with text that cannot be stored, names it without that text, and adds the others", async () => {
    const own = await newWorld()
    const rows = [
      { email: "new@x.example" },
      { email: "cut\ud83d@x.example" },
      { email: "nul\0@x.example" },
      { email: "odd@x.example", "a\ud83d": 1 },
      { email: "odd@x.example", reason: "\0" },
    ]
    const answer = await importRows(own, { suppressions: rows })
    expect({ status: answer.status, json: answer.json }, "the answer").toMatchObject({
      status: 200,
      json: { imported: 1, skipped: 4, invalid: 4 },
    })
    expect(
      answer.json.errors.map(({ row, email }: { row: number; email: string }) => [row, email]),
      "the rows that it names",
    ).toEqual([
      [1, "cut\ufffd@x.example"],
      [2, "nul\ufffd@x.example"],
      [3, ""],
      [4, ""],
    ])
  })

  test("of an unsubscribe over a bounce is skipped in the count and outlives the bounce", async () => {
    await suppress(world.projectId, { email: "both@x.example", reason: "bounce" })
    expect(
      (await importRows(world, { suppressions: [{ email: "both@x.example", reason: "unsubscribe" }] })).json,
    ).toMatchObject({ imported: 0, skipped: 1 })
    expect((await list(world, { search: "both@" })).json.data[0].reason).toBe("unsubscribe")
    await importRows(world, { suppressions: [{ email: "both@x.example", reason: "bounce" }] })
    expect((await list(world, { search: "both@" })).json.data[0].reason).toBe("unsubscribe")
  })

  test("of 100,000 rows answers with exact counts, and over 16 MiB it is 413", async () => {
    const own = await newWorld()
    const many = Array.from({ length: 100_000 }, (_, n) => ({ email: n % 10 ? `p${n}@x.example` : "broken" }))
    expect((await importRows(own, { suppressions: many })).json).toMatchObject({
      imported: 90_000,
      skipped: 10_000,
      invalid: 10_000,
    })
    const large = await api(
      "POST /v1/projects/{projectId}/suppressions/import",
      at(own, {
        rawBody: Buffer.alloc(16 * 2 ** 20 + 1, " "),
        headers: { "content-type": "application/json" },
      }),
    )
    expectProblem(large, 413, "request.too_large")
  }, 60_000)
})

describe("consent", () => {
  test("an unsubscribe is the contact's global state, and removing that suppression clears it, both in the audit log", async () => {
    const own = await newWorld()
    const contact = await addContact(own, "left@x.example")
    await importRows(own, { suppressions: [{ email: "left@x.example", reason: "unsubscribe" }] })
    expect(await isUnsubscribed(contact)).toBe(true)
    const { rows } = await pool().query("SELECT contact_id FROM segment_work WHERE project_id = $1", [own.projectId])
    expect(rows).toEqual([{ contact_id: contact }])
    await remove(own, "left@x.example")
    expect(await isUnsubscribed(contact)).toBe(false)
    expect(await audited(own)).toEqual([
      { action: "suppressions.import", target: null, changes: { rows: 1, added: 1 } },
      {
        action: "suppressions.remove",
        target: "left@x.example",
        changes: { reason: "unsubscribe", unsubscribed: [true, false] },
      },
    ])
  })

  test.each([
    ["a complaint follows it", ["unsubscribe", "complaint"]],
    ["it follows a complaint", ["complaint", "unsubscribe"]],
  ])("an unsubscribe without a contact outlives the complaint, also where %s", async (_, reasons) => {
    const own = await newWorld()
    const email = "plain@x.example"
    for (const reason of reasons) await importRows(own, { suppressions: [{ email, reason }] })
    expect(await reasonsOf(own), "the list before").toEqual(["complaint"])
    await remove(own, email)
    expect(await reasonsOf(own), "the list without the complaint").toEqual(["unsubscribe"])
    await remove(own, email)
    expect(await reasonsOf(own), "the list without the unsubscribe").toEqual([])
  })

  test("the unsubscribe of a contact outlives a complaint and the contact, and one that is added again has it", async () => {
    const own = await newWorld()
    const email = "left@x.example"
    const contact = await addContact(own, email)
    for (const reason of ["complaint", "unsubscribe"]) await importRows(own, { suppressions: [{ email, reason }] })
    const activities = await pool().query(
      "SELECT reference_name FROM contact_activities WHERE contact_id = $1 AND type = 'suppression_added'",
      [contact],
    )
    expect(activities.rows, "its activity").toEqual([{ reference_name: "complaint" }])
    const params = { contactId: encodeId("con", contact) }
    await api("DELETE /v1/projects/{projectId}/contacts/{contactId}", at(own, { params }))
    expect(await isUnsubscribed(await addContact(own, email)), "the contact that was added again").toBe(true)
    await remove(own, email)
    expect(await reasonsOf(own), "the list without the complaint").toEqual(["unsubscribe"])
  })

  test("a contact that subscribed again behind a complaint is not unsubscribed when the complaint is lifted", async () => {
    const own = await newWorld()
    const email = "back@x.example"
    const contact = await addContact(own, email)
    for (const reason of ["unsubscribe", "complaint"]) await importRows(own, { suppressions: [{ email, reason }] })
    const params = { contactId: encodeId("con", contact) }
    const body = { unsubscribed: false }
    await api("PATCH /v1/projects/{projectId}/contacts/{contactId}", at(own, { params, body }))
    await remove(own, email)
    expect({ reasons: await reasonsOf(own), unsubscribed: await isUnsubscribed(contact) }).toEqual({
      reasons: [],
      unsubscribed: false,
    })
  })

  test("removing any other reason leaves the contact as it is, and an unsubscribe that it hid comes to light", async () => {
    const contact = await addContact(world, "quiet@x.example", true)
    await suppress(world.projectId, { email: "quiet@x.example", reason: "complaint" })
    await remove(world, "quiet@x.example")
    expect((await list(world, { search: "quiet@" })).json.data[0].reason).toBe("unsubscribe")
    expect(await isUnsubscribed(contact)).toBe(true)
    const loud = await addContact(world, "loud@x.example")
    await add(world, "loud@x.example")
    await remove(world, "loud@x.example")
    expect({
      data: (await list(world, { search: "loud@" })).json.data,
      isUnsubscribed: await isUnsubscribed(loud),
    }).toEqual({ data: [], isUnsubscribed: false })
  })
})
